import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react'
import { isFocusNowhere } from './rescue-focus.ts'

/** The props that a list needs to keep the focus. */
export interface RowFocus {
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void
}

/** Where the focus moves. */
interface Ways {
  /** The element that gets the focus in another row; `had` is the one that had it. */
  readonly pick: (row: HTMLElement, had: HTMLElement) => HTMLElement | null
  /** Called when no row can take the focus. It must be the same function each time. */
  readonly otherwise: () => void
}

/**
 * Keeps the focus in a list. When the focused row is removed, the next row gets the focus, or the previous one.
 * Rows have their ID as `data-listed`.
 */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  { pick, otherwise }: Ways,
): RowFocus {
  const had = useRef<HTMLElement | null>(null)
  const before = useRef(ids)
  useLayoutEffect(() => {
    const last = before.current
    before.current = ids
    const lost = had.current
    if (lost === null || lost.isConnected || !isFocusNowhere()) return
    const rows = rowsIn(list.current)
    for (const id of nearest(last, idOf(lost))) {
      const row = rows.get(id)
      if (row !== undefined) pick(row, lost)?.focus()
      if (!isFocusNowhere()) return
    }
    had.current = null
    otherwise()
  })
  useLayoutEffect(
    () => () => {
      if (had.current !== null) queueMicrotask(() => isFocusNowhere() && otherwise())
    },
    [otherwise],
  )
  return {
    onFocus: ({ target }) => void (had.current = target),
    onBlur({ target }) {
      // While another window is active, the element here still has the focus.
      if (document.activeElement !== target) had.current = null
    },
  }
}

const idOf = (element: HTMLElement) => element.closest<HTMLElement>('[data-listed]')?.dataset['listed']

const rowsIn = (list: HTMLElement | null): ReadonlyMap<string | undefined, HTMLElement> =>
  new Map(
    [...(list?.querySelectorAll<HTMLElement>('[data-listed]') ?? [])].map(row => [
      row.dataset['listed'],
      row,
    ]),
  )

/** A row itself, those after it, and those before it, the nearest first. */
function nearest(ids: readonly string[], id: string | undefined): readonly string[] {
  const at = ids.findIndex(each => each === id)
  return at < 0 ? ids : [...ids.slice(at), ...ids.slice(0, at).toReversed()]
}
