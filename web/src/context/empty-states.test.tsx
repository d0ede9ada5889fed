// @vitest-environment jsdom
import { act, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient, type Session } from 'dragoman/client'
import { DragomanProvider } from 'dragoman/react'
import { createFakeServer } from '../../../src/client/fake-server.fixture.ts'
import { createFaultyNetwork } from '../../../src/client/faulty-network.fixture.ts'
import { created, journal } from '../../../src/projections/journal.fixture.ts'
import { WorkLogPanel } from '../work-log/work-log-panel.tsx'
import { AuditView } from './audit-view.tsx'
import { BranchesView } from './branches-view.tsx'
import { InteractionsView } from './interactions-view.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const calm = { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 }

/** A view of an empty session, from a server whose reply to one call is given by the test. */
async function open(path: string, view: (session: Session) => ReactElement) {
  const network = createFaultyNetwork(createFakeServer(journal(created())), calm, () => 0.5)
  let asked = Promise.withResolvers<Response | null>()
  const fetch: typeof globalThis.fetch = async (address, init) => {
    const isIt = new URL(address as string).pathname === path
    return (isIt ? await asked.promise : null) ?? network.fetch(address, init)
  }
  const { WebSocket } = network
  const client = createClient({ url: 'http://fake', fetch, WebSocket, storage: new Map() })
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  act(() => root.render(<DragomanProvider client={client}>{view(client.session('s'))}</DragomanProvider>))
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(1000)
  const answer = async (response: Response | null) => {
    asked.resolve(response)
    asked = Promise.withResolvers()
    await pass(1000)
  }
  const press = async () => {
    const button = [...place.querySelectorAll('button')].find(each => each.textContent === 'Try again')
    act(() => button?.click())
    await pass(10)
  }
  const close = () => {
    act(() => root.unmount())
    place.remove()
    client.close()
  }
  return { words: () => place.textContent, answer, press, close }
}

const refusal = () => new Response('', { status: 418 })

it.each([
  {
    path: '/api/sessions/s/work-log',
    empty: 'No tool calls yet',
    view: (session: Session) => <WorkLogPanel session={session} onInspect={() => {}} />,
  },
  {
    path: '/api/sessions/s/manipulations',
    empty: 'No changes',
    view: ({ id }: Session) => <AuditView session={id} onAsk={() => {}} />,
  },
  {
    path: '/api/sessions/s/interactions',
    empty: 'No turns yet',
    view: (session: Session) => <InteractionsView session={session} onAsk={() => {}} />,
  },
  {
    path: '/api/sessions',
    empty: 'No branches yet',
    view: (session: Session) => <BranchesView session={session} onAsk={() => {}} />,
  },
])('[W5] an empty state at $path is shown only after loading succeeded', async ({ path, empty, view }) => {
  const { words, answer, press, close } = await open(path, view)
  expect(words()).toContain('Loading')
  expect(words()).not.toContain(empty)
  await answer(refusal())
  expect(words()).toContain(': The server answered with status 418.')
  expect(words()).not.toContain(empty)
  await press()
  await answer(null)
  expect(words()).not.toContain('could not be read')
  expect(words()).toContain(empty)
  close()
})
