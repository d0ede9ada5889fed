import { useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { VirtualizerHandle } from 'virtua'

/** The one row of a list that the Tab key stops at. */
export interface ListStop {
  readonly key: string | null
  /** The row that must be in the page even when it is out of sight. */
  readonly kept: readonly number[]
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/**
 * One stop of the Tab key for a list: the row that had the focus last, else the open one, else the first. Up, Down, Home and End go
 * from row to row, also to rows that are not rendered yet; Right goes to the menu of a row, and Left back.
 */
export function useListStop(
  scroller: RefObject<HTMLElement | null>,
  virtual: RefObject<VirtualizerHandle | null>,
  /** The key of each row; null where the focus does not stop. */
  keys: readonly (string | null)[],
  /** The open row. */
  here: string | null,
): ListStop {
  const [had, have] = useState<string | null>(null)
  /** The row that gets the focus as soon as it can. Until then, the row that has it stays in the page. */
  const [wanted, want] = useState<string | null>(null)
  const isThere = (key: string | null) => key !== null && keys.includes(key)
  const key = isThere(had) ? had : isThere(here) ? here : (keys.find(each => each !== null) ?? null)
  const at = keys.indexOf(key)
  const elementOf = (name: string) =>
    [...(scroller.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])].find(
      ({ dataset }) => dataset['stop'] === name,
    )
  const goTo = (index: number) => {
    const next = keys[index]
    if (next === undefined || next === null) return
    flushSync(() => want(next))
    virtual.current?.scrollToIndex(index, { align: 'nearest' })
    focusSoon(() => elementOf(next))
  }
  const rows = [key, wanted].map(each => (each === null ? -1 : keys.indexOf(each)))
  return {
    key,
    kept: rows.filter(index => index >= 0),
    onFocus({ target }) {
      const stop = target.closest<HTMLElement>('[data-listed]')?.dataset['listed']
      if (stop === undefined) return
      have(stop)
      want(null)
    },
    onKeyDown(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return
      // A menu of a row has its own keys.
      if (event.target instanceof Element && event.target.closest('[role=menu]') !== null) return
      if (isSideStep(event)) return
      const next = rowAfter(keys, at, event.key)
      if (next === null) return
      event.preventDefault()
      goTo(next)
    },
  }
}

/** How many frames a row may take until it can have the focus. A list hides a new row until it has measured it. */
const mostFrames = 60

function focusSoon(find: () => HTMLElement | undefined, frames = 0): void {
  const element = find()
  element?.focus()
  if (frames < mostFrames && document.activeElement !== element)
    requestAnimationFrame(() => focusSoon(find, frames + 1))
}

/** Goes from a row to its menu, or back; false if the key or the row has no such step. */
function isSideStep(event: KeyboardEvent<HTMLElement>): boolean {
  const { key, target } = event
  if ((key !== 'ArrowRight' && key !== 'ArrowLeft') || !(target instanceof HTMLElement)) return false
  const row = target.closest('[data-listed]')
  const next = row?.querySelector<HTMLElement>(key === 'ArrowRight' ? '[aria-haspopup=menu]' : '[data-stop]')
  if (!next || next === target) return false
  event.preventDefault()
  next.focus()
  return true
}

/** The row that a key leads to from a row; null if it leads nowhere. */
export function rowAfter(keys: readonly (string | null)[], at: number, key: string): number | null {
  const isStop = (each: string | null) => each !== null
  const steps: Readonly<Record<string, () => number>> = {
    ArrowDown: () => keys.findIndex((each, index) => index > at && isStop(each)),
    ArrowUp: () => keys.findLastIndex((each, index) => index < at && isStop(each)),
    Home: () => keys.findIndex(isStop),
    End: () => keys.findLastIndex(isStop),
  }
  const found = steps[key]?.()
  return found === undefined || found < 0 ? null : found
}
