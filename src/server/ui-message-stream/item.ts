import type { Chunk } from '../../protocol/chunk.ts'

/** The answer to a question, where it was given. Only the newer dialect has a chunk for it. */
export interface AnswerItem {
  readonly type: 'answer'
  readonly approval: string
  readonly approved: boolean
  readonly reason: string | null
}

/** An item of the stream, before it is converted to the client's dialect. */
export type Item = Chunk | AnswerItem
