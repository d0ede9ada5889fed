const everyMs = 30_000

/** Passes a sentence on unless the same one was passed a short while ago. */
export function seldom<More extends readonly unknown[]>(
  tell: (sentence: string, ...more: More) => void,
  now: () => number = Date.now,
): (sentence: string, ...more: More) => void {
  const told = new Map<string, number>()
  return (sentence, ...more) => {
    const before = told.get(sentence)
    if (before !== undefined && now() - before < everyMs) return
    told.set(sentence, now())
    tell(sentence, ...more)
  }
}
