import { sameList } from '../readable.ts'
import { sameJson } from '../../projections/same-json.ts'

/** Reloaded items: equal items keep their identity, and so does the list. */
export const readAnew = <Item extends { readonly id: string }>(
  before: readonly Item[],
  after: readonly Item[],
): readonly Item[] =>
  sameList(
    before,
    after.map(item => before.find(each => each.id === item.id && sameJson(each, item)) ?? item),
  )
