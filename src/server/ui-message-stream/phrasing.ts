import { createDialectV7, type NewChunk } from '../../protocol/dialect-v7.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import type { ChatPlan } from './chat-plan.ts'
import type { Item } from './item.ts'

/** Puts items into a dialect, as JSON. */
export type Phrase = (items: readonly Item[]) => readonly string[]

/** Speaks one dialect to one client. */
export function createPhrasing(dialect: ChatPlan['dialect']): Phrase {
  if (dialect === 'portable') return items => items.filter(isChunk).map(textOf)
  const v7 = createDialectV7()
  const say = (item: Item) => (isChunk(item) ? v7.say({ thread: null, chunk: item }) : v7.answer(item))
  return items => items.flatMap(say).map(({ chunk }) => textOf(chunk))
}

/** Whether an item is a chunk in every dialect. */
export const isChunk = (item: Item): item is Chunk => item.type !== 'answer'

const textOf = (chunk: Chunk | NewChunk) => JSON.stringify(chunk)
