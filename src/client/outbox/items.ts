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
  /** The server has it: it is still shown, but need not be kept. */
  saved(id: string): void
  /** Shows it no longer, if the server has it. */
  forget(id: string): void
  remove(id: string): void
}

/** Begins with what an earlier page left. */
export function createItems(shelf: Shelf): Items {
  const all = createWritable<readonly Outgoing[]>(shelf.read())
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
      const at = Math.max(item.at, (all.get().at(-1)?.at ?? 0) + 1)
      shelf.put({ ...item, at })
      all.set([...all.get(), { ...item, at }])
    },
    change(id, next) {
      all.set(all.get().map(each => (each.id === id ? { ...each, ...next } : each)))
      const item = find(id)
      // What a dead page was sending may or may not have come through; sending it again does no harm.
      if (item !== undefined && item.state !== 'sending') shelf.put(item)
    },
    saved: id => shelf.remove(id),
    forget: id => void (find(id)?.state === 'sending' && remove(id)),
    remove,
  }
}
