// @vitest-environment jsdom
import { act, useImperativeHandle, type Ref } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Entry } from 'dragoman'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { lineOf } from './line.ts'
import { LineList } from './line-list.tsx'

const moved: number[] = []

/** A list without visible rows: every row must be scrolled to. */
vi.mock('virtua', () => ({
  VList: ({ ref }: { readonly ref: Ref<unknown> }) => {
    useImperativeHandle(ref, () => ({
      scrollOffset: 0,
      viewportSize: 0,
      getItemOffset: () => 0,
      getItemSize: () => 0,
      scrollToIndex: (index: number) => void moved.push(index),
    }))
    return null
  },
}))

const stage = mountEach()
const linesFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) =>
    lineOf({
      seq: first + at,
      at: 0,
      event: { type: 'agent-spoke', raw: '{}', chunks: [] },
    } as unknown as Entry),
  )
const show = (first: number, last: number, grew: 'start' | 'end', pinned: number | null) => {
  const nothing = () => {}
  const hands = { onPeek: nothing, onPin: nothing, onStart: nothing, onEnd: nothing }
  const pick = pinned === null ? null : { seq: pinned, chunk: null }
  const lines = linesFrom(first, last)
  act(() => stage.root.render(<LineList lines={lines} grew={grew} peeked={null} pinned={pick} {...hands} />))
}

describe('the list of lines', () => {
  beforeEach(() => void moved.splice(0))

  it('[W4] scrolls to the pinned line, and then stays where the user scrolls', () => {
    show(100, 200, 'end', 150)
    expect(moved).toEqual([50])
    // The user scrolls near an end, and more lines are loaded there.
    show(1, 200, 'start', 150)
    show(1, 300, 'end', 150)
    show(50, 350, 'end', 150)
    expect(moved).toEqual([50])
  })

  it('[W4] scrolls to a pinned line once it is loaded, and again when it is pinned again', () => {
    show(1, 100, 'end', 500)
    expect(moved).toEqual([])
    show(480, 680, 'end', 500)
    expect(moved).toEqual([20])
    show(480, 680, 'end', null)
    show(480, 680, 'end', 500)
    expect(moved).toEqual([20, 20])
  })
})
