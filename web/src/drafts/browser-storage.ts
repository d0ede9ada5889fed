/** The part of the browser's storage that is used. */
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

/** The JSON stored under a key; undefined when it is missing or invalid. */
export function readKept(storage: BrowserStorage | null, key: string): unknown {
  try {
    return JSON.parse(storage?.getItem(key) ?? 'null') ?? undefined
  } catch {
    // Another program wrote there, or storage was blocked meanwhile: treat it as empty.
    return undefined
  }
}
