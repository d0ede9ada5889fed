// @vitest-environment jsdom
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Entry } from 'dragoman'
import { lineOf } from './line.ts'
import { LineRow } from './line-row.tsx'
import { mountEach } from '../ui/mount-each.fixture.ts'

const stage = mountEach()

const event = {
  type: 'agent-spoke',
  raw: '{"type":"text","delta":"<img src=x onerror=alert(1)>\u202E"}',
  chunks: [
    { thread: null, chunk: { type: 'text-start', id: 't' } },
    { thread: 'call', chunk: { type: 'text-delta', id: 't', delta: '<b>bold</b>' } },
  ],
}
const line = lineOf({ seq: 7, at: 0, event } as unknown as Entry)
const buttons = () => [...stage.place.querySelectorAll('button')]

describe('a line of the inspector', () => {
  it('[W4] marks the line and the chunk that are hovered and pinned', () => {
    const [peeked, pinned] = [vi.fn<(pick: unknown) => void>(), vi.fn<(pick: unknown) => void>()]
    act(() => stage.root.render(<LineRow line={line} mark="none" onPeek={peeked} onPin={pinned} />))
    const [raw, , delta] = buttons()
    act(() => void raw?.dispatchEvent(new Event('pointermove', { bubbles: true })))
    expect(peeked).toHaveBeenLastCalledWith({ seq: 7, chunk: null })
    act(() => delta?.focus())
    expect(peeked).toHaveBeenLastCalledWith({ seq: 7, chunk: 1 })
    act(() => delta?.blur())
    expect(peeked).toHaveBeenLastCalledWith(null)
    act(() => delta?.click())
    expect(pinned).toHaveBeenLastCalledWith({ seq: 7, chunk: 1 })
  })
  it('[W4] is not hovered when it scrolls under a resting pointer', () => {
    const peeked = vi.fn<(pick: unknown) => void>()
    act(() => stage.root.render(<LineRow line={line} mark="none" onPeek={peeked} onPin={vi.fn()} />))
    act(() => void buttons()[0]?.dispatchEvent(new Event('pointerover', { bubbles: true })))
    expect(peeked).not.toHaveBeenCalled()
  })
  it('[W4] shows native text as plain text', () => {
    act(() => stage.root.render(<LineRow line={line} mark="pinned" onPeek={vi.fn()} onPin={vi.fn()} />))
    expect(buttons()[0]?.getAttribute('aria-pressed')).toBe('true')
    expect(stage.place.querySelector('img, b b')).toBeNull()
    expect(stage.place.textContent).toContain('<img src=x onerror=alert(1)>⟨RLO⟩')
    expect(stage.place.textContent).toContain('<b>bold</b>')
  })
})
