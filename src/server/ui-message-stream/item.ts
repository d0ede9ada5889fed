import type { Chunk } from '../../protocol/chunk.ts'

/** The answer to a question, where it was given. Only the newer dialect has a chunk for it. */
export interface AnswerItem {
  readonly type: 'answer'
  readonly approval: string
  readonly approved: boolean
  readonly reason: string | null
}

/** What a client is told, before it is put in its dialect. */
export type Item = Chunk | AnswerItem
