import type { ReactElement } from 'react'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'

/** What stands where something is still read, or could not be. */
export const NotYet = ({
  what,
  problem,
  onAgain,
}: {
  readonly what: string
  readonly problem: string | null
  readonly onAgain: () => void
}): ReactElement =>
  problem === null ? <Loading what={what} /> : <NotRead what={what} problem={problem} onAgain={onAgain} />
