import type { Entry } from '../protocol/entry.ts'

/** When something happened: its place in the journal, and the time for people. */
export interface Moment {
  readonly seq: number
  readonly at: number
}

/** The moment of an entry. */
export const momentOf = ({ seq, at }: Entry): Moment => ({ seq, at })
