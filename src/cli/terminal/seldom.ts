const everyMs = 30_000

/** Passes a sentence on, unless the same one was passed on shortly before. */
export function seldom<More extends readonly unknown[]>(
  pass: (sentence: string, ...more: More) => void,
  now: () => number = Date.now,
): (sentence: string, ...more: More) => void {
  const passed = new Map<string, number>()
  return (sentence, ...more) => {
    const before = passed.get(sentence)
    if (before !== undefined && now() - before < everyMs) return
    passed.set(sentence, now())
    pass(sentence, ...more)
  }
}
