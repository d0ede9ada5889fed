/** Runs works one after the other, in the order in which they were asked for. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A turnstile: no work begins before the one ahead of it is over, however that ended. */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()

  return work => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
