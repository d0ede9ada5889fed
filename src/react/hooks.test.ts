// @vitest-environment jsdom
import { act, createElement, memo, StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../client/create-client.ts'
import { createFakeServer } from '../client/fake-server.fixture.ts'
import { createFaultyNetwork } from '../client/faulty-network.fixture.ts'
import { foldEntries } from '../projections/fold.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  failure,
  finish,
  journal,
  output,
  spoke,
  start,
  started,
} from '../projections/journal.fixture.ts'
import { createWorkLog } from '../projections/work-log/work-log.ts'
import type { Message } from '../protocol/message.ts'
import {
  DragomanProvider,
  useAgentMessages,
  useApprovals,
  useInteractions,
  useManipulations,
  useSession,
  useSessionContext,
  useSessions,
  useStatus,
  useTodos,
  useWorkLog,
  type WorkLogEntry,
} from './index.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const calm = { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 }
const said = (delta: string) => spoke('i2', null, { type: 'text-delta', id: 't', delta })

/** A page with some components, and a session in which an answer is being said. */
async function open(...children: readonly ReactNode[]) {
  const server = createFakeServer(
    journal(
      created('A title'),
      started('i1', 'first'),
      spoke('i1', null, start('m1'), call('c1', 'Bash'), output('c1'), finish),
      ended('i1'),
      started('i2', 'second'),
      spoke('i2', null, start('m2'), { type: 'text-start', id: 't' }),
    ),
  )
  const network = createFaultyNetwork(server, calm, () => 0.5)
  const { fetch, WebSocket } = network
  const client = createClient({ url: 'http://fake', fetch, WebSocket, storage: new Map() })
  const place = document.createElement('div')
  const root = createRoot(place)
  act(() =>
    root.render(createElement(StrictMode, null, createElement(DragomanProvider, { client }, ...children))),
  )
  await act(() => vi.advanceTimersByTimeAsync(2000))
  const write = (...events: readonly Parameters<typeof server.write>[0][]) =>
    act(async () => {
      for (const event of events) server.write(event)
      await vi.advanceTimersByTimeAsync(1000)
    })
  return { server, network, client, place, root, write }
}

/** Counts how often each thing was rendered. */
function counter() {
  const renders = new Map<string, number>()
  const count = (name: string) => renders.set(name, (renders.get(name) ?? 0) + 1)
  return { renders, count }
}

describe('the hooks', () => {
  it('[C3] render only changed components while an answer streams', async () => {
    const { renders, count } = counter()
    const Row = memo(({ message }: { readonly message: Message }) => {
      count(message.id)
      return createElement('p', null, message.parts.map(part => ('text' in part ? part.text : '')).join(''))
    })
    const List = () => {
      count('list')
      const { messages } = useAgentMessages('s')
      return messages.map(message => createElement(Row, { key: message.id, message }))
    }
    const Header = () => {
      count('header')
      const { facts, phase } = useSession('s')
      return createElement('h1', null, `${facts?.title} ${phase}`)
    }
    const Plan = () => {
      count('plan')
      return useTodos('s').map(({ text }) => createElement('li', { key: text }, text))
    }
    const Work = () => {
      count('work')
      return useWorkLog('s').map(({ toolCallId, tool, outcome }) =>
        createElement('b', { key: toolCallId }, `${tool} ${outcome}`),
      )
    }
    const Light = () => {
      count('light')
      return createElement('i', null, useStatus('s').status)
    }
    const { place, write, client, root } = await open(
      ...[Header, List, Plan, Work, Light].map(each => createElement(each, { key: each.name })),
    )
    expect(place.textContent).toContain('A title live')
    expect(place.textContent).toContain('Bash success')
    expect(place.textContent).toContain('running')
    const before = new Map(renders)
    for (const word of ['one ', 'two ', 'three']) await write(said(word), said('.'))
    expect(place.textContent).toContain('one .two .three.')
    for (const name of ['header', 'plan', 'work', 'light', 'prompt-i1', 'm1', 'prompt-i2'])
      expect([name, renders.get(name)]).toEqual([name, before.get(name)])
    // Two words that come together are one rendering, which StrictMode does twice.
    expect((renders.get('m2') ?? 0) - (before.get('m2') ?? 0)).toBeLessThanOrEqual(3 * 2 * 2)
    act(() => root.unmount())
    await vi.advanceTimersByTimeAsync(2000)
    expect(client.connection.get().state).toBe('idle')
    client.close()
  })

  it('[X7] show the server’s work log and the live calls', async () => {
    const shown: { log: readonly WorkLogEntry[] } = { log: [] }
    const Log = () => {
      shown.log = useWorkLog('s')
      return null
    }
    const { server, write, client } = await open(createElement(Log))
    const told = () => foldEntries(createWorkLog(), server.entries)
    expect(shown.log).toEqual(told())
    const steps = [
      spoke('i2', null, { type: 'tool-input-start', toolCallId: 'c2', toolName: 'Bash', dynamic: true }),
      spoke('i2', null, call('c2', 'Bash'), ask('c2')),
      answered('ask-c2', { input: { command: 'npm test' } }),
      spoke('i2', null, {
        type: 'tool-output-available',
        toolCallId: 'c2',
        output: { exitCode: 1 },
        dynamic: true,
      }),
      spoke('i2', null, call('c3', 'Bash'), ask('c3')),
      answered('ask-c3', { approved: false }),
      spoke('i2', null, failure('c3')),
      spoke('i2', null, call('c4', 'Read')),
    ]
    for (const step of steps) {
      await write(step)
      expect(shown.log).toEqual(told())
    }
    expect(shown.log.map(({ sentence }) => sentence)).toEqual([
      'Ran a command',
      'Ran `npm test` → exit 1 (1 s)',
      'Asked to run a command → not allowed',
      'Reading a file …',
    ])
    const before = shown.log
    await write(spoke('i2', null, { type: 'text-delta', id: 't', delta: 'x' }))
    expect(shown.log).toBe(before)
    act(() => client.close())
  })

  it('[X8] show the context, follow its changes, and undo one', async () => {
    const shown: { ids: readonly unknown[]; audit: readonly unknown[]; policy: string; asOf: number } = {
      ids: [],
      audit: [],
      policy: '',
      asOf: 0,
    }
    let undo: ReturnType<typeof useManipulations>['rollBack'] | undefined
    const Counts = () => {
      const { interactions } = useInteractions('s', { limit: '10' })
      const { manipulations, rollBack } = useManipulations('s')
      const { context } = useSessionContext('s')
      shown.ids = interactions.map(({ id }) => id)
      shown.audit = manipulations.map(({ kind }) => kind)
      shown.policy = context?.policy ?? ''
      shown.asOf = context?.asOf ?? 0
      undo = rollBack
      return null
    }
    const { write, client, server } = await open(createElement(Counts))
    expect(shown).toMatchObject({ ids: ['i1', 'i2'], audit: [], policy: 'safe' })
    await write(ended('i2'), started('i3', 'third'))
    expect(shown.ids).toEqual(['i1', 'i2', 'i3'])
    await act(async () => {
      const undone = undo?.({ manipulations: ['m'] })
      await vi.advanceTimersByTimeAsync(1000)
      await undone
    })
    expect(shown.audit).toEqual(['rolled-back'])
    expect(shown.asOf).toBe(server.entries.length)
    act(() => client.close())
  })

  it('[C3] show the same state in all components', async () => {
    const torn: string[] = []
    const Both = () => {
      const { messages } = useAgentMessages('s')
      const { status } = useStatus('s')
      const isAsked = messages.some(({ parts }) =>
        parts.some(part => 'state' in part && part.state === 'approval-requested'),
      )
      if (isAsked !== (status === 'waiting')) torn.push(`${status} ${isAsked}`)
      return null
    }
    const { write, client } = await open(createElement(Both))
    for (let at = 0; at < 20; at += 1)
      await write(
        spoke('i2', null, call(`q${at}`, 'Bash')),
        spoke('i2', null, ask(`q${at}`)),
        spoke('i2', null, output(`q${at}`)),
      )
    expect(torn).toEqual([])
    act(() => client.close())
  })

  it('[C1] show approvals, sessions and unsent prompts', async () => {
    const Page = () => {
      const { pending, answer } = useApprovals('s')
      const { sessions } = useSessions()
      const { outbox, prompt } = useAgentMessages('s')
      Object.assign(globalThis, { page: { answer, prompt } })
      return createElement(
        'p',
        null,
        `${pending.map(({ tool }) => tool).join()}|${sessions.map(({ id }) => id).join()}|${outbox.map(({ state }) => state).join()}`,
      )
    }
    const { place, write, client, network } = await open(createElement(Page))
    expect(place.textContent).toBe('|s|')
    await write(spoke('i2', null, call('q', 'Bash')), spoke('i2', null, ask('q')))
    expect(place.textContent).toBe('Bash|s|')
    network.unplug()
    const { page } = globalThis as unknown as { page: { prompt(text: string): unknown } }
    await act(async () => {
      page.prompt('while away')
      await vi.advanceTimersByTimeAsync(60_000)
    })
    expect(place.textContent).toBe('Bash|s|queued')
    network.restore()
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(place.textContent).toMatch(/\|s\|$/)
    act(() => client.close())
  })

  it('[C1] throw a helpful error without a provider', () => {
    const Lost = () => createElement('p', null, useStatus('s').status)
    const root = createRoot(document.createElement('div'), { onUncaughtError() {} })
    expect(() => act(() => root.render(createElement(Lost)))).toThrow(/DragomanProvider/)
  })
})
