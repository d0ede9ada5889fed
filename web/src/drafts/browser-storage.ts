/** What is needed of the browser's storage. */
export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The browser's storage; null where a page has none. */
export function browserStorage(): BrowserStorage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    // Pages that may not use storage get an error.
    return null
  }
}

/** What is kept under a key, as JSON; undefined when there is nothing, or nothing that can be read. */
export function readKept(storage: BrowserStorage | null, key: string): unknown {
  try {
    return JSON.parse(storage?.getItem(key) ?? 'null') ?? undefined
  } catch {
    // Another program wrote there, or storage was blocked meanwhile: treat it as empty.
    return undefined
  }
}
