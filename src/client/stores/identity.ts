import { sameJson } from '../../projections/same-json.ts'

/** Makes something of some values, and makes it anew only when one of them is another than before. */
export function memo<Inputs extends readonly unknown[], Made>(
  make: (...inputs: Inputs) => Made,
): (...inputs: Inputs) => Made {
  let last: { readonly inputs: Inputs; readonly made: Made } | null = null
  return (...inputs) => {
    if (last === null || inputs.some((input, at) => !Object.is(input, last?.inputs[at])))
      last = { inputs, made: make(...inputs) }
    return last.made
  }
}

/** A list as it was before, when it holds the same things. */
export function sameList<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  return before.length === after.length && after.every((item, at) => Object.is(item, before[at]))
    ? before
    : after
}

/** Makes a list of some values; one that holds the same things as before is the same list. */
export function memoList<Inputs extends readonly unknown[], Item>(
  make: (...inputs: Inputs) => readonly Item[],
): (...inputs: Inputs) => readonly Item[] {
  let last: readonly Item[] = []
  return memo((...inputs: Inputs) => (last = sameList(last, make(...inputs))))
}

/** Reloaded items: equal items keep their identity, and so does the list. */
export const readAnew = <Item extends { readonly id: string }>(
  before: readonly Item[],
  after: readonly Item[],
): readonly Item[] =>
  sameList(
    before,
    after.map(item => before.find(each => each.id === item.id && sameJson(each, item)) ?? item),
  )
