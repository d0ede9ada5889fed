// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToolPart } from 'dragoman'
import type { Client, ListedApproval, Session } from 'dragoman/client'
import { DragomanProvider } from 'dragoman/react'
import { cardOf } from './card.ts'
import { ToolCard, type ToolCardProps } from './tool-card.tsx'

beforeAll(() => Promise.all([import('./card-body.tsx'), import('./diff/diff-view.tsx')]))

let root: Root
let place: HTMLElement
let shown = 0

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  place.remove()
  vi.unstubAllGlobals()
})

type Loose = Partial<Record<'input' | 'output' | 'approval' | 'errorText' | 'preliminary', unknown>> & {
  readonly state: string
}
const part = (toolName: string, more: Loose): ToolPart =>
  ({ type: 'dynamic-tool', toolName, toolCallId: 'c', ...more }) as unknown as ToolPart

const show = (of: ToolPart, more: Partial<ToolCardProps> = {}) =>
  act(async () => {
    const where = { agent: 'claude-code', cwd: '/w' }
    root.render(
      <ToolCard
        key={(shown += 1)}
        part={of}
        session={null}
        live
        place={where}
        thread={`t${shown}`}
        {...more}
      />,
    )
  })
/** The text that a screen reader announces. */
const spokenText = (element: Element) => element.textContent.replaceAll(/\s+/g, ' ').trim()
const line = () => place.querySelector('button') ?? document.createElement('button')
const press = (name: string) =>
  act(async () => {
    const button = [...place.querySelectorAll('button')].find(each => each.textContent.startsWith(name))
    button?.click()
    await new Promise(resolve => setTimeout(resolve))
  })
const open = async () => {
  await press('')
  const words = async () => {
    await act(() => new Promise(resolve => setTimeout(resolve)))
    return place.textContent
  }
  await expect.poll(words).not.toContain('Loading the ')
}

describe('a tool card', () => {
  it('[W2] states what happened in one line, with its outcome in words', async () => {
    await show(
      part('Bash', {
        state: 'output-available',
        input: { command: 'npm test' },
        output: { stdout: 'ok', exitCode: 0 },
      }),
    )
    expect(spokenText(line())).toBe('Ran npm test exit 0 Done')
    expect(line().getAttribute('aria-expanded')).toBe('false')
    const edit = { file_path: '/w/src/a.ts', old_string: 'a', new_string: 'b\nc' }
    await show(part('Edit', { state: 'output-available', input: edit, output: 'ok' }))
    expect(spokenText(line())).toBe('Changed src/a.ts +2 lines added −1 line removed Done')
  })

  it('[W2] opens and closes, and stays so when it scrolls back into view', async () => {
    const read = part('Read', {
      state: 'output-available',
      input: { file_path: '/w/a' },
      output: '1\tthe words',
    })
    await show(read, { thread: 'kept' })
    expect(place.textContent).not.toContain('the words')
    await open()
    expect(line().getAttribute('aria-expanded')).toBe('true')
    expect(
      document.querySelector(`[id="${line().getAttribute('aria-controls') ?? ''}"]`)?.textContent,
    ).toContain('the words')
    await show(read, { thread: 'kept' })
    expect(place.textContent).toContain('the words')
    await open()
    expect(place.textContent).not.toContain('the words')
  })

  it('[W2] shows a failure at once, and only once', async () => {
    await show(
      part('Read', {
        state: 'output-error',
        input: { file_path: '/w/a' },
        errorText: '<tool_use_error>File does not exist.</tool_use_error>',
      }),
    )
    expect(spokenText(place)).toBe('Could not read a FailedFile does not exist.')
    await show(
      part('Bash', { state: 'output-error', input: { command: 'x' }, errorText: 'Exit code 2\nboom' }),
    )
    expect(spokenText(place)).toBe('Ran x exit 2 Failedboom')
  })

  it('[W2] states who denied a call, and why', async () => {
    const denied = part('Bash', {
      state: 'output-denied',
      input: { command: 'rm -rf /' },
      approval: { id: 'a', approved: false, reason: 'Not here.' },
    })
    await show(denied)
    expect(place.textContent).toContain('This was denied: Not here.')
    await show(denied, { approval: { by: 'person', reason: 'Never.' } as ListedApproval })
    expect(place.textContent).toContain('You denied this: Never.')
    await show(denied, { approval: { by: 'timeout', reason: null } as ListedApproval })
    expect(place.textContent).toContain('Expired without an answer: Not here.')
  })

  it('[W2] shows partial input and partial output', async () => {
    await show(
      part('Write', { state: 'input-streaming', input: { file_path: '/w/a.ts', content: 'export const' } }),
    )
    expect(spokenText(line())).toBe('Writing a.ts … +1 line added Preparing')
    await open()
    expect(place.textContent).toContain('export const')
    const running = { state: 'output-available', preliminary: true, input: { command: 'make' } }
    await show(part('Bash', { ...running, output: { output: 'step 1\nstep 2' } }))
    expect(spokenText(place)).toBe('Running make … Runningstep 1 step 2')
    await open()
    expect(place.textContent).toContain('$make')
  })

  it('[W2] distinguishes a call that never ends from one that runs', () => {
    const called = part('Read', { state: 'input-available', input: { file_path: 'a' } })
    const where = { agent: 'claude-code', cwd: null }
    expect(cardOf(called, where, true).standing).toBe('running')
    expect(cardOf(called, where, false).standing).toBe('unfinished')
    const asking = part('Read', { state: 'approval-requested', input: {}, approval: { id: 'a' } })
    expect(cardOf(asking, where, true).standing).toBe('asking')
  })

  it('[W2] shows the end of a long output, and its start on request', async () => {
    const output = Array.from({ length: 5000 }, (_, at) => `line ${at}.`).join('\n')
    await show(part('Bash', { state: 'output-available', input: { command: 'x' }, output }))
    await open()
    expect(place.textContent).toContain('line 4999.')
    expect(place.textContent).not.toContain('line 4958.')
    expect(place.querySelectorAll('*').length).toBeLessThan(120)
    await press('Show more (4,959 more lines)')
    expect(place.textContent).toContain('line 2960.')
    await press('Show the beginning')
    expect(place.textContent).toContain('line 0.')
    expect(place.textContent).not.toContain('line 4999.')
    for (const _ of [1, 2]) await press('Show more')
    expect(place.textContent).toContain('line 4999.')
    expect(place.querySelectorAll('*').length).toBeLessThan(120)
  })

  it('[W2] marks on a closed card that its error is longer', async () => {
    await show(
      part('Read', { state: 'output-error', input: { file_path: 'a' }, errorText: 'No. '.repeat(300) }),
    )
    expect(place.textContent).toContain('No. …')
    await show(part('Read', { state: 'output-error', input: { file_path: 'a' }, errorText: 'No.' }))
    expect(place.textContent).not.toContain('…')
  })

  it('[W2] shows all of an output that is only slightly longer than the first screen', async () => {
    const output = Array.from({ length: 46 }, (_, at) => `line ${at}.`).join('\n')
    await show(part('Bash', { state: 'output-available', input: { command: 'x' }, output }))
    await open()
    expect(place.textContent).toContain('line 45.')
    expect(place.textContent).not.toContain('Show more')
  })

  it('[W2] keeps agent output as text: no element, no link, no external image', async () => {
    const evil =
      '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3))![y](https://evil.example/z.png)\u202E'
    const tools = [
      'Bash',
      'Read',
      'Edit',
      'Grep',
      'WebFetch',
      'TodoWrite',
      'Task',
      'AskUserQuestion',
      'ExitPlanMode',
      evil,
    ]
    for (const tool of tools) {
      const input = {
        command: evil,
        file_path: evil,
        old_string: evil,
        new_string: `${evil}2`,
        pattern: evil,
        url: evil,
        prompt: evil,
        plan: evil,
        question: evil,
        todos: [{ content: evil }],
        [evil]: evil,
      }
      await show(part(tool, { state: 'output-available', input, output: evil }))
      await open()
      await press('All data')
      expect(
        place.querySelectorAll('img, script, iframe, object, a[href^="javascript"], [onerror]'),
      ).toHaveLength(0)
      expect(place.textContent).not.toContain('\u202E')
    }
  })

  it('[W2] shows how long it ran, without the time it waited for approval', async () => {
    const moment = (seq: number, at: number) => ({ seq, at })
    const times = {
      'tool-input-available': moment(1, 1000),
      'tool-approval-request': moment(2, 1010),
      'tool-output-available': moment(4, 28_700),
    }
    const event = { type: 'approval-answered', approval: 'a', approved: true }
    const state = { view: { calls: new Map([['c', times]]) }, events: [{ seq: 3, at: 28_590, event }] }
    const subscribe = () => () => {}
    const facts = { get: () => null, subscribe }
    const session = { id: 's', facts, state: { get: () => state, subscribe } } as unknown as Session
    const ran = { state: 'output-available', input: { command: 'rm -r build' }, output: '' }
    await show(part('Bash', { ...ran, approval: { id: 'a', approved: true } }), { session })
    expect(spokenText(line())).toBe('Ran rm -r build 110 ms Done')
  })

  it('[W2] loads the full output when an output is shortened', async () => {
    const never = { get: () => null, subscribe: () => () => {} }
    const session = { id: 's', facts: never, state: never } as unknown as Session
    const request = vi.fn(async () => new Response('all of it'))
    const call = vi.fn(async () => ({ entries: [] }))
    const connection = { get: () => ({ state: 'open' }), subscribe: () => () => {} }
    const client = { request, call, connection } as unknown as Client
    await act(async () =>
      root.render(
        <DragomanProvider client={client}>
          <ToolCard
            part={part('Bash', { state: 'output-available', input: { command: 'x' }, output: 'cut …' })}
            session={session}
            thread="whole"
            live={false}
            shortened={{ toolCallId: 'c', bytes: 100_000, seq: 7 }}
          />
        </DragomanProvider>,
      ),
    )
    await open()
    expect(place.textContent).toContain('The full output is 97.7 KiB')
    await press('Show full output')
    await expect.poll(() => act(async () => place.textContent)).toContain('all of it')
    const params = { session: 's', seq: '7' }
    const signal = expect.any(AbortSignal)
    expect(request).toHaveBeenCalledWith(
      'GET /api/sessions/:session/entries/:seq/raw',
      { params },
      { signal },
    )
    expect(place.textContent).not.toContain('Show full output')
  })
})
