/**
 * Caches the result of a pure function for an object that never changes, as long as the object lives. A session is
 * written again for every request, and nearly all of its parts are the same objects as before.
 */
export function createMemory<Result extends {} | null>() {
  const memories = new Map<string, WeakMap<object, Result>>()
  return (of: object, key: string, make: () => Result): Result => {
    let known = memories.get(key)
    if (known === undefined) memories.set(key, (known = new WeakMap()))
    const before = known.get(of)
    if (before !== undefined) return before
    const result = make()
    known.set(of, result)
    return result
  }
}
