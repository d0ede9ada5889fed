// @vitest-environment jsdom
import { act, StrictMode, type ReactElement, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from 'dragoman/client'
import { DragomanProvider, useClient } from 'dragoman/react'
import { createFakeServer } from '../../../src/client/fake-server.fixture.ts'
import { createFaultyNetwork } from '../../../src/client/faulty-network.fixture.ts'
import {
  call,
  created,
  ended,
  finish,
  journal,
  output,
  said,
  spoke,
  start,
  started,
  text,
} from '../../../src/projections/journal.fixture.ts'
import type { Focus } from './find-focus.ts'
import { stubSizes } from './sizes.fixture.ts'
import { TodoPanel } from './todo-panel.tsx'
import { Transcript } from './transcript.tsx'

const renders = vi.hoisted(() => new Map<string, number>())
vi.mock('../markdown/markdown.tsx', () => ({
  Markdown({ text: words }: { readonly text: string }): ReactElement {
    renders.set(words, (renders.get(words) ?? 0) + 1)
    return <p>{words}</p>
  },
}))
vi.mock('../tools/tool-card.tsx', () => ({
  ToolCard({
    part: { toolCallId },
    children,
  }: {
    readonly part: { readonly toolCallId: string }
    readonly children?: ReactNode
  }): ReactElement {
    renders.set(toolCallId, (renders.get(toolCallId) ?? 0) + 1)
    return (
      <p>
        {toolCallId}
        {children}
      </p>
    )
  },
}))

beforeEach(() => {
  renders.clear()
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  stubSizes()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const calm = { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 }
const delta = (words: string) => spoke('i2', null, { type: 'text-delta', id: 't', delta: words })
const inspected: unknown[] = []

const Page = ({ focus = null }: { readonly focus?: Focus | null }): ReactElement => {
  const session = useClient().session('s')
  return (
    <>
      <TodoPanel session={session} />
      <Transcript
        session={session}
        focus={focus}
        wanted={null}
        onInspect={target => inspected.push(target)}
      />
    </>
  )
}

const history = journal(
  created('A title'),
  started('i1', 'First prompt'),
  spoke('i1', null, start('m1'), ...text('t1', 'First words'), call('c1'), output('c1'), finish),
  ended('i1'),
  started('i2', 'Second prompt'),
  spoke('i2', null, start('m2'), ...text('t2', 'Some words'), call('c2'), output('c2'), {
    type: 'text-start',
    id: 't',
  }),
)

async function open(focus: Focus | null = null, entries = history, until: Promise<unknown> | null = null) {
  const server = createFakeServer(entries)
  const network = createFaultyNetwork(server, calm, () => 0.5)
  const { WebSocket } = network
  const fetch: typeof globalThis.fetch = async (...asked) => {
    if (/\/interactions/.test(new Request(...asked).url)) await until
    return network.fetch(...asked)
  }
  const client = createClient({ url: 'http://fake', fetch, WebSocket, storage: new Map() })
  const place = document.body.appendChild(document.createElement('div'))
  const root: Root = createRoot(place)
  const show = (target: Focus | null) =>
    act(() =>
      root.render(
        <StrictMode>
          <DragomanProvider client={client}>
            <Page focus={target} />
          </DragomanProvider>
        </StrictMode>,
      ),
    )
  show(focus)
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
  await pass(3000)
  const write = async (...events: readonly Parameters<typeof server.write>[0][]) => {
    for (const event of events) server.write(event)
    await pass(1000)
  }
  const close = () => {
    act(() => root.unmount())
    place.remove()
    client.close()
  }
  return { server, network, client, place, write, pass, close, show }
}

const log = (place: Element) => place.querySelector('[role=log]')
const announced = (place: Element) =>
  [...place.querySelectorAll('[role=status][aria-live=polite]')].map(each => each.textContent).join('')

describe('the transcript', () => {
  it('[W2] renders only the row that a delta changes', async () => {
    const { place, write, close } = await open()
    expect(log(place)?.textContent).toContain('First prompt')
    await write(delta('One'))
    renders.clear()
    for (const words of [' two', ' three', ' four']) await write(delta(words))
    expect(log(place)?.textContent).toContain('One two three four')
    // Twice each, because the strict mode draws everything twice.
    expect([...renders]).toEqual([
      ['One two', 2],
      ['One two three', 2],
      ['One two three four', 2],
    ])
    close()
  })

  it.each([
    ['are known', () => null],
    ['could not be read', () => Promise.reject(new TypeError('fetch failed'))],
  ])('[W2] shows messages once their interactions %s', async (_, answer) => {
    const { promise, resolve } = Promise.withResolvers()
    const { place, pass, close } = await open(null, history, promise)
    expect(log(place)?.textContent).toBe('Loading the conversation…')
    resolve(answer())
    await pass(100)
    expect(log(place)?.textContent).toContain('First words')
    close()
  })

  it('[W2] renders only its own row when a subagent adds text', async () => {
    const { place, write, close } = await open()
    await write(
      said('i2', [
        { thread: null, chunk: call('task', 'Task') },
        { thread: null, chunk: { type: 'data-subagent', id: 'task', data: subagent } },
        { thread: 'task', chunk: start('m3') },
        { thread: 'task', chunk: { type: 'text-start', id: 'x' } },
      ]),
    )
    const inside = (words: string) => spoke('i2', 'task', { type: 'text-delta', id: 'x', delta: words })
    await write(inside('Inside'))
    renders.clear()
    await write(inside(' more'))
    expect([...renders]).toEqual([['Inside more', 2]])
    expect(log(place)?.textContent).toContain('explorer')
    const button = [...place.querySelectorAll('button')].find(each => each.textContent?.includes('explorer'))
    expect(button?.getAttribute('aria-expanded')).toBe('true')
    act(() => button?.click())
    expect(log(place)?.textContent).not.toContain('Inside more')
    close()
  })

  it('[W2] is a quiet log: only starts and ends are announced', async () => {
    const { place, write, close } = await open()
    expect(log(place)).toMatchObject({ ariaLabel: 'Transcript', ariaLive: 'off' })
    await write(delta('One'))
    expect(announced(place)).toBe('')
    await write(spoke('i2', null, { type: 'text-end', id: 't' }, finish), ended('i2'))
    expect(announced(place)).toBe('Done')
    await write(started('i3', 'Third prompt'))
    expect(announced(place)).toBe('Done')
    await write(spoke('i3', null, start('m3')))
    expect(announced(place)).toBe('The agent is responding')
    close()
  })

  it('[W2] does not announce a queued agent as responding', async () => {
    const { place, write, close } = await open()
    await write(spoke('i2', null, { type: 'text-end', id: 't' }, finish), ended('i2'))
    const third = started('i3', 'Third prompt')
    await write(third, { type: 'place-awaited', interaction: third.interaction, places: 8 })
    expect(announced(place)).toBe('Queued')
    await write(spoke('i3', null, start('m3')), ended('i3'))
    expect(announced(place)).toBe('Done')
    close()
  })

  it('[W2] states why an interaction failed', async () => {
    const { place, write, close } = await open()
    await write(ended('i2'), started('i3', 'Third prompt'), ended('i3', 'failed', 'The model is overloaded.'))
    expect(log(place)?.textContent).toContain('Failed. The model is overloaded.')
    close()
  })

  it('[W2] shows unsent prompts as not sent', async () => {
    const { place, client, network, pass, close } = await open()
    network.unplug()
    act(() => void client.session('s').prompt('While away'))
    await pass(60_000)
    expect(log(place)?.textContent).toContain('While away')
    expect(log(place)?.textContent).toContain('Not sent yet.')
    network.restore()
    await pass(60_000)
    expect(log(place)?.textContent).not.toContain('Not sent yet.')
    close()
  })

  it('[W2] does not count the working time while there is no connection', async () => {
    const { place, network, write, pass, close } = await open()
    await write(ended('i2'), started('i3', 'Third prompt'))
    const words = () => log(place)?.textContent ?? ''
    const working = () => /Working · (\d+) s/.exec(words())?.[1]
    const before = Number(working())
    await pass(2000)
    expect(Number(working())).toBe(before + 2)
    network.unplug()
    await pass(1000)
    const lost = /Was working for \d+ s when the connection was lost/.exec(words())?.[0]
    expect(lost).toBeDefined()
    await pass(30_000)
    expect(words()).toContain(lost)
    network.restore()
    await pass(4000)
    expect(Number(working())).toBeGreaterThan(before + 30)
    close()
  })

  it('[A18] shows how long the agent has written nothing, from 20 seconds on', async () => {
    const { place, write, pass, close } = await open()
    await write(ended('i2'), started('i3', 'Third prompt'))
    const words = () => log(place)?.textContent ?? ''
    await pass(15_000)
    expect(words()).not.toContain('No output')
    await pass(10_000)
    expect(words()).toMatch(/Working · \d+ s · No output for 2[0-9] s/)
    await write(ended('i3'), started('i4', 'Fourth prompt'))
    await pass(2000)
    expect(words()).not.toContain('No output')
    close()
  })

  it('[W2] scrolls to the linked message, and reports one that is missing', async () => {
    const { place, pass, show, close } = await open({ message: 'm1' })
    const lit = () => [...place.querySelectorAll('[class*=lit]')].map(each => each.textContent)
    expect(lit()).toContain('First words')
    await pass(5000)
    expect(lit()).toEqual([])
    show({ message: 'nobody' })
    await pass(1000)
    expect(place.textContent).toContain('is not in this conversation')
    close()
  })

  it('[W2] opens the inspector for a message', async () => {
    const { place, close } = await open()
    act(() => place.querySelector<HTMLElement>('[data-kind=footer] button[aria-label=Raw]')?.click())
    expect(inspected).toEqual([{ message: 'm1' }])
    close()
  })

  it('[W2] pins the plan in one line that opens', async () => {
    const { place, write, close } = await open()
    const todos = [
      { text: 'Look', status: 'completed' },
      { text: 'Change', status: 'in-progress' },
    ] as const
    await write(spoke('i2', null, { type: 'data-todos', id: 'todos', data: { todos } }))
    const panel = place.querySelector('section[aria-label=Plan]')
    expect(panel?.textContent).toBe('1 of 2 · Change')
    act(() => panel?.querySelector('button')?.click())
    expect(panel?.querySelectorAll('li')).toHaveLength(2)
    close()
  })

  it('[W2] does not pin the plan of a session that was last active long ago', async () => {
    const todos = [{ text: 'Look', status: 'pending' }] as const
    const plan = spoke('i1', null, start('m1'), { type: 'data-todos', id: 'todos', data: { todos } }, finish)
    const over = journal(created('A title'), started('i1', 'Wish'), plan, ended('i1'))
    const aged = (hours: number) => over.map(entry => ({ ...entry, at: Date.now() - hours * 3_600_000 }))
    const pinned = async (hours: number) => {
      const { place, close } = await open(null, aged(hours))
      const isPinned = place.querySelector('section[aria-label=Plan]') !== null
      close()
      return isPinned
    }
    expect([await pinned(0.5), await pinned(30)]).toEqual([true, false])
  })

  it('[W2] has a hint in an empty session', async () => {
    const { place, close } = await open(null, journal(created('A title')))
    expect(log(place)?.textContent).toContain('No messages yet')
    close()
  })
})

const subagent = {
  agent: 'explorer',
  description: 'Look around',
  status: 'running',
  toolCalls: 0,
  tokens: null,
  cost: null,
  lastWords: null,
} as const
