import type { Block } from './block.ts'

/** One model request: what it saw is the first `upTo` blocks of its segment, what it answered follows. */
export interface Request {
  /** Its number in the segment, from 1. */
  readonly step: number
  /** When it was sent, milliseconds since 1970. */
  readonly at: number
  readonly upTo: number
  /** What the model said: texts, thinking and calls. */
  readonly answer: readonly Block[]
}

/** A conversation that only grows: from the beginning, or a compaction, to the next compaction. */
export interface Segment {
  readonly blocks: readonly Block[]
  readonly requests: readonly Request[]
}

/** One transcript. */
export interface Session {
  readonly name: string
  readonly segments: readonly Segment[]
  /** What could not be used, in words for a person. */
  readonly troubles: readonly string[]
}
