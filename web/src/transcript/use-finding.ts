import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import type { FindBarProps, Wanted } from '../search/find-bar.tsx'
import type { FoundPlace } from '../search/find-loaded.ts'
import { rowOfPlace, type Focus } from './find-focus.ts'
import type { Row } from './row.ts'
import { withSteps } from './step-rows.ts'
import type { TranscriptRoom } from './transcript-room.ts'

/** The find bar, and where it or the address leads. */
export interface Finding {
  /** The newest of both. */
  readonly target: Focus | null
  readonly list: () => HTMLElement | null
  readonly go: (place: FoundPlace) => void
  /** Null while it is closed. */
  readonly bar: Pick<FindBarProps, 'wanted' | 'asked' | 'nearest' | 'list' | 'onGo' | 'onClose'> | null
}

const nothing: Wanted = { query: '' }

/** Opens the find bar by its key, or for an address that names a search. The second press is the browser's. */
export function useFinding(
  frame: RefObject<HTMLElement | null>,
  room: TranscriptRoom,
  focus: Focus | null,
  wanted: Wanted | null,
): Finding {
  const [target, setTarget] = useState(focus)
  const [open, setOpen] = useState(wanted)
  const [asked, ask] = useState(0)
  const before = useRef<{ readonly focus: Focus | null; readonly wanted: Wanted | null }>({ focus, wanted })
  useEffect(() => {
    if (before.current.focus !== focus) setTarget(focus)
    if (before.current.wanted !== wanted && wanted !== null) setOpen(wanted)
    before.current = { focus, wanted }
  }, [focus, wanted])
  const list = useCallback(() => frame.current?.querySelector<HTMLElement>('[role=log]') ?? null, [frame])
  useCommands([
    {
      ...keyed('find'),
      whileTyping: true,
      when: () => document.activeElement?.hasAttribute('data-find-field') !== true,
      run() {
        setOpen(now => now ?? nothing)
        ask(count => count + 1)
      },
    },
  ])
  const go = useCallback(
    (place: FoundPlace) =>
      setTarget({ place, ...(place.messageId !== null && { message: place.messageId }) }),
    [],
  )
  const bar = useMemo(
    () => ({
      wanted: open ?? nothing,
      asked,
      list,
      nearest: (places: readonly FoundPlace[]) =>
        nearest(room.rows.get(), rowsInView(list())[0] ?? null, places),
      onGo: go,
      onClose() {
        setOpen(null)
        list()?.focus({ preventScroll: true })
      },
    }),
    [open, asked, list, room, go],
  )
  return { target, list, go, bar: open === null ? null : bar }
}

/** The keys of the rows in view, from the top. */
export function rowsInView(list: Element | null): readonly string[] {
  const view = list?.getBoundingClientRect()
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  return rows.flatMap(row => {
    const { top, bottom } = row.getBoundingClientRect()
    const isIn = view !== undefined && bottom > view.top && top < view.bottom
    return isIn ? [row.dataset['row'] ?? ''] : []
  })
}

/** The first place at or after a row; the last one where all are before it. */
export function nearest(rows: readonly Row[], shown: string | null, places: readonly FoundPlace[]): number {
  const all = withSteps(rows)
  const ofMessage = Map.groupBy(all, row => row.message)
  const order = new Map(all.map((row, at) => [row, at]))
  const from = all.findIndex(({ key }) => key === shown)
  const found = places.findIndex(place => {
    const row = rowOfPlace(ofMessage.get(place.messageId) ?? [], place)
    return row !== null && (order.get(row) ?? -1) >= from
  })
  return found < 0 ? places.length - 1 : found
}
