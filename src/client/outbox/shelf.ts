import type { Outgoing } from './outgoing.ts'

/** Where unsent prompts are kept, by key: a `Map` is enough. */
export interface OutboxStorage {
  entries(): Iterable<readonly [key: string, text: string]>
  set(key: string, text: string): unknown
  delete(key: string): unknown
}

/** Stores each unsent prompt under a separate key, so that tabs never overwrite each other's. */
export interface Shelf {
  /** What an earlier page left, in order. */
  read(): readonly Outgoing[]
  put(item: Outgoing): void
  remove(id: string): void
}

/** A shelf for the prompts of one server. */
export function createShelf(storage: OutboxStorage, server: string): Shelf {
  const prefix = `dragoman outbox ${server} `
  return {
    read: () =>
      [...storage.entries()]
        .filter(([key]) => key.startsWith(prefix))
        .map(([, text]) => JSON.parse(text) as Outgoing)
        .toSorted((one, other) => one.at - other.at),
    put(item) {
      try {
        storage.set(prefix + item.id, JSON.stringify(item))
      } catch {
        // Full, or forbidden: the prompt is still sent, it just does not outlive the page.
      }
    },
    remove: id => storage.delete(prefix + id),
  }
}

/** The browser's own storage, where there is one and it may be used; else one that lasts as long as the page. */
export function defaultStorage(): OutboxStorage {
  try {
    const { localStorage } = globalThis
    // Where there is none this fails, too.
    Object.keys(localStorage)
    return {
      entries: () => Object.entries<string>(localStorage),
      set: (key, text) => localStorage.setItem(key, text),
      delete: key => localStorage.removeItem(key),
    }
  } catch {
    // A page without permission to store anything gets an error.
    return new Map<string, string>()
  }
}
