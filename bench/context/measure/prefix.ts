import type { Shown } from '../policy.ts'

/** How many blocks two requests have in common from the beginning: as far as a cache still serves. */
export function placeOfChange(before: readonly Shown[], after: readonly Shown[]): number {
  let place = 0
  while (place < before.length && place < after.length && isSame(before[place], after[place])) place++
  return place
}

const isSame = (one: Shown | undefined, other: Shown | undefined): boolean =>
  one === other ||
  (one?.block === other?.block &&
    (one?.sent === other?.sent || JSON.stringify(one?.sent) === JSON.stringify(other?.sent)))
