import { createWritable, type Readable } from '../readable.ts'
import type { Outgoing } from './outgoing.ts'
import type { Shelf } from './shelf.ts'

/** The prompts on their way: what is shown of them, and what is kept for a page that dies. */
export interface Items {
  readonly all: Readable<readonly Outgoing[]>
  find(id: string): Outgoing | undefined
  /** The first of a session that is to be sent. */
  next(session: string): Outgoing | undefined
  add(item: Outgoing): void
  change(id: string, next: Partial<Outgoing>): void
  remove(id: string): void
}

/** Begins with what an earlier page left. */
export function createItems(shelf: Shelf): Items {
  const all = createWritable(shelf.read())
  const find = (id: string) => all.get().find(each => each.id === id)
  const remove = (id: string) => {
    shelf.remove(id)
    all.set(all.get().filter(each => each.id !== id))
  }
  return {
    all,
    find,
    next: session => all.get().find(each => each.session === session && each.state === 'queued'),
    add(item) {
      // None has the time of another, because it is their order.
      const kept = { ...item, at: Math.max(item.at, (all.get().at(-1)?.at ?? 0) + 1) }
      shelf.put(kept)
      all.set([...all.get(), kept])
    },
    change(id, next) {
      const item = find(id)
      if (item === undefined) return
      const changed = { ...item, ...next }
      all.set(all.get().map(each => (each === item ? changed : each)))
      // A prompt that the server has need not be stored. One that a dead page was sending is sent again, which is harmless.
      if (changed.seq !== null) shelf.remove(id)
      else if (changed.state !== 'sending') shelf.put(changed)
    },
    remove,
  }
}
