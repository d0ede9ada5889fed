/** A cache of results by text; the oldest entry is dropped first. */
export interface Memory<Value> {
  recall(text: string): Value | undefined
  keep(text: string, value: Value): void
}

/** Remembers the values of the given number of texts. */
export function createMemory<Value>(most: number): Memory<Value> {
  const kept = new Map<string, Value>()
  return {
    recall: text => kept.get(text),
    keep(text, value) {
      kept.delete(text)
      kept.set(text, value)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
  }
}
