import type { BrowserStorage } from './browser-storage.ts'

/** A storage as browsers have, that may be full. */
export function fakeStorage({ isFull = false } = {}): BrowserStorage & { size(): number } {
  const kept = new Map<string, string>()
  return {
    getItem: key => kept.get(key) ?? null,
    setItem(key, text) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, text)
    },
    removeItem: key => void kept.delete(key),
    size: () => kept.size,
  }
}
