import type { ThreadChunk } from '../protocol/chunk.ts'

/** A translator's answer: the state for the next message, and what this one gives. */
export type Translation<State> = readonly [next: State, chunks: readonly ThreadChunk[]]

/** One native message and who said it; some protocols cannot be read without our own lines. */
export interface RawMessage {
  readonly from: 'agent' | 'host'
  readonly text: string
  /** Set when the line was too long for memory: `text` is JSON with long texts cut, or the beginning of what is not JSON. */
  readonly cut?: boolean
}
