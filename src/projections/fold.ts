import type { Entry } from '../protocol/entry.ts'
import type { Projection } from './projection.ts'

/**
 * A view of a session that grows with it. Applying an entry costs the same for a session of any length;
 * the view is made when it is asked for, and what did not change in it since the last time is the same object.
 */
export interface Fold<View> {
  apply(entry: Entry): void
  view(): View
}

/** Takes entries into a fold and gives the view after the last. */
export function foldEntries<View>(fold: Fold<View>, entries: Iterable<Entry>): View {
  for (const entry of entries) fold.apply(entry)
  return fold.view()
}

/** Makes a fold of its two halves: `take` returns whether an entry changed anything, `make` makes the view. */
export function createFold<View>(take: (entry: Entry) => boolean, make: () => View): Fold<View> {
  let made: { readonly view: View } | null = null
  return {
    apply(entry) {
      if (take(entry)) made = null
    },
    view() {
      made ??= { view: make() }
      return made.view
    },
  }
}

/** A small view, whose projection is cheap, as a fold, from the beginning or from an earlier view. */
export function foldOf<View>(projection: Projection<View>, from: View = projection.initial): Fold<View> {
  let view = from
  return {
    apply(entry) {
      view = projection.apply(view, entry)
    },
    view: () => view,
  }
}

type Views<Folds> = { readonly [Name in keyof Folds]: Folds[Name] extends Fold<infer View> ? View : never }

/** Several folds as one: an entry is applied once, and the views are next to each other. */
export function combineFolds<Folds extends Readonly<Record<string, Fold<unknown>>>>(
  folds: Folds,
): Fold<Views<Folds>> {
  let made: Views<Folds> | null = null
  return {
    apply(entry) {
      for (const fold of Object.values(folds)) fold.apply(entry)
    },
    view() {
      const next = Object.fromEntries(Object.entries(folds).map(([name, fold]) => [name, fold.view()]))
      if (made === null || Object.entries(next).some(([name, view]) => view !== made?.[name]))
        made = next as Views<Folds>
      return made
    },
  }
}
