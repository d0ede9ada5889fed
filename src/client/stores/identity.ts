import { sameList } from '../readable.ts'
import { sameJson } from '../../projections/same-json.ts'

/** Reloaded items: equal items keep their identity, and so does the list. */
export const readAnew = <Item extends { readonly id: string }>(
  before: readonly Item[],
  after: readonly Item[],
): readonly Item[] => {
  const known = new Map(before.map(each => [each.id, each]))
  return sameList(
    before,
    after.map(item => [known.get(item.id)].find(each => sameJson(each, item)) ?? item),
  )
}
