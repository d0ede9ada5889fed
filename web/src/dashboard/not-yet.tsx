import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { Loading } from '../ui/empty.tsx'
import { Note } from './note.tsx'

/** What stands where something is still read, or could not be. */
export const NotYet = ({
  what,
  problem,
}: {
  readonly what: string
  readonly problem: string | null
}): ReactElement =>
  problem === null ? (
    <Loading what={what} />
  ) : (
    <Note>
      This could not be read: <InertText text={problem} />
    </Note>
  )
