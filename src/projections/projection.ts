import type { Entry } from '../protocol/entry.ts'

/** A view of a session, computed from its entries and from nothing else. */
export interface Projection<View> {
  readonly initial: View
  /** The view after one more entry. Returns the same object when nothing changed. */
  apply(view: View, entry: Entry): View
}

/** Folds entries into a view, from the beginning or from an earlier view. */
export function project<View>(
  projection: Projection<View>,
  entries: Iterable<Entry>,
  from: View = projection.initial,
): View {
  let view = from
  for (const entry of entries) view = projection.apply(view, entry)
  return view
}
