import type { Thread } from '../protocol/chunk.ts'
import { chunksOf } from '../protocol/event.ts'
import { createFold, type Fold } from './fold.ts'
import { momentOf, type Moment } from './moment.ts'
import { createThreadCursor } from './thread-cursor.ts'

/** When an agent thought something. */
export interface Thought {
  readonly thread: Thread
  readonly message: string
  /** The id of the part of reasoning. */
  readonly part: string
  readonly start: Moment
  /** Null while it thinks. */
  readonly end: Moment | null
}

/** Folds entries into when each part of reasoning began and ended; repeated reasoning keeps its first duration. */
export function createThinking(): Fold<readonly Thought[]> {
  const cursor = createThreadCursor()
  const thoughts = new Map<string, Thought>()
  return createFold(
    entry => {
      let changed = false
      for (const from of chunksOf(entry.event)) {
        const message = cursor.follow(from)
        const { thread, chunk } = from
        if (message === null || (chunk.type !== 'reasoning-start' && chunk.type !== 'reasoning-end')) continue
        const key = JSON.stringify([thread, message, chunk.id])
        const known = thoughts.get(key)
        const at = momentOf(entry)
        if (chunk.type === 'reasoning-start' && known === undefined)
          thoughts.set(key, { thread, message, part: chunk.id, start: at, end: null })
        else if (chunk.type === 'reasoning-end' && known?.end === null)
          thoughts.set(key, { ...known, end: at })
        else continue
        changed = true
      }
      return changed
    },
    () => [...thoughts.values()],
  )
}
