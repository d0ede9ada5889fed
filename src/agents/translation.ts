import type { ThreadChunk } from '../protocol/chunk.ts'
import type { Json } from '../protocol/json.ts'

/** The result of a translation: the state for the next message, and the chunks of this one. */
export type Translation<State> = readonly [next: State, chunks: readonly ThreadChunk[]]

/** One native message and its sender. Some protocols cannot be translated without our own lines. */
export interface RawMessage {
  readonly from: 'agent' | 'host'
  readonly text: string
  /** Set if the line was too long for memory: `text` is JSON with long texts cut, or the beginning of a line that is not JSON. */
  readonly cut?: boolean
  /** The value of `text`, if the transport already parsed it. A replay does not have it and parses `text` itself. */
  readonly parsed?: Json
}
