import type { Chunk } from '../../protocol/chunk.ts'
import { createDialectV7, type NewChunk } from '../../protocol/dialect-v7.ts'

/** The answer to an approval, at its position. Only the newer dialect has a chunk for it. */
export interface AnswerItem {
  readonly type: 'answer'
  readonly approval: string
  readonly approved: boolean
  readonly reason: string | null
}

/** An item of the stream, before it is converted to the client's dialect. */
export type Item = Chunk | AnswerItem

/** The dialects of the stream: `portable` is understood by all releases of the AI SDK. */
export type Dialect = 'portable' | 'v7'

/** Converts items to the JSON of a dialect's chunks. */
export type WriteItems = (items: readonly Item[]) => readonly string[]

/** Converts the items of one stream to the client's dialect. */
export function createDialectWriter(dialect: Dialect): WriteItems {
  if (dialect === 'portable') return items => items.filter(isChunk).map(textOf)
  const v7 = createDialectV7()
  const write = (item: Item) => (isChunk(item) ? v7.say({ thread: null, chunk: item }) : v7.answer(item))
  return items => items.flatMap(write).map(({ chunk }) => textOf(chunk))
}

/** Whether an item is a chunk in every dialect. */
export const isChunk = (item: Item): item is Chunk => item.type !== 'answer'

const textOf = (chunk: Chunk | NewChunk) => JSON.stringify(chunk)
