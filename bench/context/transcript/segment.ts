import type { Block } from './block.ts'

/** One model request: it saw the first `upTo` blocks of its segment, and its answer follows. */
export interface Request {
  /** Its number in the segment, from 1. */
  readonly step: number
  /** When it was sent, milliseconds since 1970. */
  readonly at: number
  readonly upTo: number
  /** The answer of the model: texts, thinking and calls. */
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
  /** What could not be used, as a text for people. */
  readonly troubles: readonly string[]
}
