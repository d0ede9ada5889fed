/** Work in steps: its caller can do other work after each step. */
export type Steps<Result> = Generator<void, Result, undefined>

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Maps a list, one item in each step. */
export function* mapInSteps<From, To>(
  list: readonly From[],
  map: (item: From, at: number) => To,
): Steps<readonly To[]> {
  const mapped: To[] = []
  for (const [at, item] of list.entries()) {
    mapped.push(map(item, at))
    yield
  }
  return mapped
}
