// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MessagePart } from 'dragoman'
import type { ShownMessage } from 'dragoman/client'
import { stubSizes } from './sizes.fixture.ts'
import { TranscriptView } from './transcript-view.tsx'

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  stubSizes()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const call = (id: string, toolName: string, input: Record<string, string>, error?: string): MessagePart => ({
  type: 'dynamic-tool',
  toolCallId: id,
  toolName,
  input,
  ...(error === undefined
    ? { state: 'output-available' as const, output: 'ok' }
    : { state: 'output-error' as const, errorText: error }),
})
const edit = (id: string, file: string, error?: string) =>
  call(id, 'Edit', { file_path: file, old_string: 'a', new_string: 'b' }, error)

const work: readonly MessagePart[] = [
  { type: 'reasoning', id: 't1', text: '**First**, I look\n\nat it.', state: 'done' },
  call('c1', 'Bash', { command: 'npm test' }),
  edit('c2', '/a.ts'),
  edit('c3', '/b.ts'),
  edit('c4', '/a.ts'),
  edit('c5', '/c.ts', 'It is read-only.'),
]

async function show(parts: readonly MessagePart[], watched: boolean) {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const message = {
    message: { id: 'm1', role: 'assistant', parts },
    interaction: 'i1',
    thread: null,
    firstSeq: 1,
    validity: 'active',
  } as ShownMessage
  const running = watched ? { interaction: 'i1', waiting: false } : null
  await act(async () =>
    root.render(<TranscriptView messages={[message]} threads={new Map()} running={running} />),
  )
  return { place, end: () => act(() => root.unmount()) }
}

describe('a run of steps', () => {
  it('[W2] is one line that says what came of it, and opens by a press', async () => {
    const { place, end } = await show([...work, { type: 'text', text: 'Done.', state: 'done' }], false)
    const [line] = place.querySelectorAll<HTMLElement>('[data-kind=steps] button')
    const facts = [...(line?.querySelectorAll('span > span, strong') ?? [])]
    expect(line?.textContent).toContain('Could not change /c.ts: It is read-only.')
    expect(facts.map(({ textContent }) => textContent)).toEqual([
      '6 steps',
      '1 command',
      '2 files changed',
      '1 failure',
    ])
    expect(line?.getAttribute('aria-expanded')).toBe('false')
    expect(place.querySelectorAll('[data-kind=tool]')).toHaveLength(0)
    await act(async () => line?.click())
    expect(line?.getAttribute('aria-expanded')).toBe('true')
    expect(place.querySelectorAll('[data-kind=tool], [data-kind=thinking]')).toHaveLength(6)
    await act(async () => line?.click())
    expect(place.querySelectorAll('[data-kind=tool]')).toHaveLength(0)
    end()
  })

  it('[W2] is not folded while the agent runs', async () => {
    const { place, end } = await show(work, true)
    expect(place.querySelectorAll('[data-kind=steps]')).toHaveLength(0)
    expect(place.querySelectorAll('[data-kind=tool]')).toHaveLength(5)
    end()
  })

  it('[W2] shows the beginning of a folded thought', async () => {
    const { place, end } = await show(work, true)
    const thought = place.querySelector<HTMLElement>('[data-kind=thinking] button')
    expect(thought?.textContent).toBe('Thought First, I look at it.')
    await act(async () => thought?.click())
    expect(thought?.textContent?.trim()).toBe('Thought')
    end()
  })
})
