// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Message } from 'dragoman'
import type { ShownMessage } from 'dragoman/client'
import { holdSizes, stubSizes } from './sizes.fixture.ts'
import { TranscriptView } from './transcript-view.tsx'

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  stubSizes()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const answer = (id: string, text: string, thread: string | null = null): ShownMessage => {
  const message: Message = { id, role: 'assistant', parts: [{ type: 'text', text, state: 'done' }] }
  return { message, interaction: null, thread, firstSeq: 1, validity: 'active' }
}

describe('a frozen transcript', () => {
  it('[W5] shows the same rows without a session, and goes back in time', async () => {
    const place = document.body.appendChild(document.createElement('div'))
    const root = createRoot(place)
    const show = (...messages: readonly ShownMessage[]) =>
      act(async () => root.render(<TranscriptView messages={messages} threads={new Map()} />))
    const [first, second] = [answer('m1', 'First words'), answer('m2', 'Second words')]
    await show(first, second)
    expect(place.textContent).toContain('Second words')
    expect(place.querySelector('[role=log]')?.getAttribute('aria-label')).toBe('Transcript')
    await show(first)
    expect(place.textContent).toContain('First words')
    expect(place.textContent).not.toContain('Second words')
    // There is no server.
    expect(
      place.querySelector('[aria-label="Branch from here"], [aria-label=Edit], [aria-label=Raw]'),
    ).toBeNull()
    await show()
    expect(place.textContent).toContain('No messages up to this point')
    act(() => root.unmount())
  })
  it('[W5] also draws rows that wait until rows before them are measured', async () => {
    const measure = holdSizes()
    const place = document.body.appendChild(document.createElement('div'))
    const root = createRoot(place)
    const [first, second] = [answer('m1', 'First words'), answer('m2', 'Second words')]
    for (const messages of [[second], [first, second]])
      await act(async () => root.render(<TranscriptView messages={messages} threads={new Map()} />))
    await act(async () => measure())
    expect(place.textContent).toContain('First words')
    expect(place.textContent).toContain('Second words')
    act(() => root.unmount())
  })
})
