import { browserStorage, readKept, type BrowserStorage } from './browser-storage.ts'

/** Unfinished text outside the message box, by key. */
export interface DraftStore {
  /** The saved text; null when there is none. */
  read(what: string): string | null
  /** Saves text. Returns a sentence when it can't outlive the page. */
  write(what: string, words: string): string | null
  /** Deletes a finished draft. */
  forget(isOver: (what: string) => boolean): void
}

type Entry = readonly [what: string, words: string]

const key = 'dragoman begun'
const most = 50
const longest = 100_000
const room = 400_000

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every(each => typeof each === 'string' && each.length <= longest)

/** The newest entries that fit, oldest first. */
function bounded(entries: readonly Entry[]): readonly Entry[] {
  const newest = entries.slice(-most)
  let left = room
  const first = newest.findLastIndex(([what, words]) => (left -= what.length + words.length) < 0)
  return newest.slice(first + 1)
}

/** Stores unfinished text in one bounded storage item. With several pages open, the last write wins. */
export function createDraftStore(storage: BrowserStorage | null): DraftStore {
  /** Text that the storage could not save: it lasts as long as the page. */
  const here = new Map<string, string>()
  const list = (): readonly Entry[] => {
    const kept = readKept(storage, key)
    return Array.isArray(kept) ? bounded(kept.filter(isEntry)) : []
  }
  const save = (entries: readonly Entry[]): boolean => {
    try {
      if (entries.length === 0) storage?.removeItem(key)
      else storage?.setItem(key, JSON.stringify(entries))
      return storage !== null
    } catch {
      // Storage is full or blocked: tell the caller.
      return false
    }
  }
  return {
    read: what => here.get(what) ?? list().find(([each]) => each === what)?.[1] ?? null,
    write(what, words) {
      here.delete(what)
      const next: Entry = [what, words]
      if (isEntry(next) && save(bounded([...list().filter(([each]) => each !== what), next]))) return null
      here.set(what, words)
      for (const oldest of [...here.keys()].slice(0, -most)) here.delete(oldest)
      return storage && 'This browser’s storage is full. The draft is lost when you close the page.'
    },
    forget(isOver) {
      for (const what of here.keys()) if (isOver(what)) here.delete(what)
      const kept = list()
      const left = kept.filter(([what]) => !isOver(what))
      if (left.length < kept.length) save(left)
    },
  }
}

/** Unfinished text in this browser. */
export const draftStore = createDraftStore(browserStorage())
