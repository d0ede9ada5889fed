import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { foldEntries } from '../projections/fold.ts'
import { createSessionView } from '../projections/session-view.ts'
import { session as anySession } from '../projections/session.arbitrary.ts'
import type { Entry } from '../protocol/entry.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { createClient } from './create-client.ts'
import { createFakeServer, type FakeServer } from './fake-server.fixture.ts'
import { createFaultyNetwork, seededRandom, type Faults } from './faulty-network.fixture.ts'
import type { Session } from './session.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const faults: fc.Arbitrary<Faults> = fc.record({
  drop: fc.constantFrom(0, 0.05, 0.3),
  duplicate: fc.constantFrom(0, 0.2),
  delay: fc.constantFrom(0, 5, 200),
  cut: fc.constantFrom(0, 0.02, 0.2),
  fail: fc.constantFrom(0, 0.3),
})

interface Schedule {
  readonly entries: readonly Entry[]
  readonly faults: Faults
  readonly seed: number
  /** How many entries are there when the client opens the session. */
  readonly before: number
  readonly pageSize: number
  readonly transport: 'websocket' | 'sse'
}

const schedule: fc.Arbitrary<Schedule> = fc.record({
  entries: anySession({ answers: true, edits: true, owned: true }),
  faults,
  seed: fc.nat(),
  before: fc.nat(),
  pageSize: fc.integer({ min: 1, max: 10 }),
  transport: fc.constantFrom('websocket', 'websocket', 'sse'),
})

async function run({ entries, faults: bad, seed, before, pageSize, transport }: Schedule) {
  const cut = 1 + (before % entries.length)
  const server = createFakeServer(entries.slice(0, cut))
  const random = seededRandom(seed)
  const network = createFaultyNetwork(server, bad, random)
  const client = createClient({
    url: 'http://fake',
    fetch: network.fetch,
    WebSocket: transport === 'sse' ? null : network.WebSocket,
    pageSize,
    random,
  })
  const session = client.session('s')
  const stop = session.state.subscribe(() => {})
  for (const { event, id } of entries.slice(cut)) {
    server.write(event, id)
    await vi.advanceTimersByTimeAsync(random() * 40)
  }
  network.heal()
  await vi.advanceTimersByTimeAsync(180_000)
  expectSame(session, server)
  stop()
  client.close()
}

/** What the client shows is what the server would show now, as far back as the client has it. */
function expectSame(session: Session, server: FakeServer): void {
  const { phase, seq, view } = session.state.get()
  expect({ phase, seq }).toEqual({ phase: 'live', seq: server.entries.length })
  const whole = foldEntries(
    createSessionView(),
    JSON.parse(JSON.stringify(server.entries)) as readonly Entry[],
  )
  const shown = session.messages.get()
  const all = (whole.messages.get(null) ?? []).map(({ message }) => message)
  expect(JSON.parse(JSON.stringify(shown))).toEqual(all.slice(all.length - shown.length))
  expect(shown.length > 0 || all.length === 0).toBe(true)
  expect(session.hasOlder.get()).toBe(shown.length < all.length)
  expect(view.status).toEqual(whole.status)
  expect(view.queue).toEqual(whole.queue)
  expect(view.todos.get(null)).toEqual(whole.todos.get(null))
  const { approvals } = server.approvals()
  expect(session.approvals.get()).toEqual(approvals)
  const { cost, tokens, title, model } = server.details()
  expect(session.facts.get()).toMatchObject({ cost, tokens, title, model })
}

describe('a client on a bad network', () => {
  it('[T4] shows the same as the server when frames are lost, repeated, late, out of order or cut', async () => {
    await fc.assert(fc.asyncProperty(schedule, run), { numRuns: propertyRuns(60) })
  })
})
