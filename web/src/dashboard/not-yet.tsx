import type { ReactElement } from 'react'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'

/** Shown while data is loading, or when loading failed. */
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
