import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { created, journal } from '../../projections/journal.fixture.ts'
import type { Entry } from '../../protocol/entry.ts'
import { createPauses } from '../pauses.ts'
import { defaultTiming } from '../timing.ts'
import { createConnection, followSession } from './connection.ts'
import type { Frame, SourceEvents } from './source.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const entries = journal(
  created(),
  ...Array.from({ length: 9 }, (_, at) => ({ type: 'session-renamed', title: `${at}` }) as const),
)
const page = (from: number, to: number): Frame => ({
  type: 'entries',
  session: 's',
  entries: entries.slice(from - 1, to),
})
const caughtUp = (seq: number): Frame => ({ type: 'caught-up', session: 's', seq })

/** Follows a session over a transport that the test controls. */
function follow() {
  const asked: number[] = []
  const servers: SourceEvents[] = []
  const connection = createConnection({
    timing: defaultTiming,
    now: Date.now,
    random: () => 0.5,
    pauses: createPauses(),
    ways: [
      {
        transport: 'websocket',
        open(events) {
          servers.push(events)
          return {
            follow: (_, after) => void asked.push(after),
            unfollow: () => {},
            watchSessions: () => {},
            ping: () => {},
            close: () => {},
          }
        },
      },
    ],
  })
  const seen: Entry[] = []
  const told: string[] = []
  const reader = {
    entries: (fresh: readonly Entry[]) => void seen.push(...fresh),
    caughtUp: () => void told.push('caught up'),
    reset: (head: number) => void told.push(`reset ${head}`),
    gone: (reason: string) => void told.push(`gone ${reason}`),
  }
  followSession(connection, 's', 0, reader)
  const [server] = servers
  server?.opened()
  const say = (...frames: readonly Frame[]) => frames.forEach(frame => server?.frame(frame))
  return { connection, say, asked, told, seqs: () => seen.map(({ seq }) => seq) }
}

it('[C1] a gap is requested once, even if more frames arrive before the reply', () => {
  const { say, asked, seqs, connection } = follow()
  say(page(1, 2), caughtUp(2))
  expect(asked).toEqual([0])
  say(page(4, 4), page(5, 5), page(6, 6), caughtUp(6))
  expect(asked).toEqual([0, 1])
  say(page(2, 6), caughtUp(6))
  expect(seqs()).toEqual([1, 2, 3, 4, 5, 6])
  // The next hole is another question.
  say(page(8, 8))
  expect(asked).toEqual([0, 1, 5])
  connection.close()
})

it('[C1] entries that arrive before "caught up" cause no reset', () => {
  const { say, told, seqs, connection } = follow()
  say(page(1, 5), caughtUp(3))
  expect(told).toEqual(['caught up'])
  expect(seqs()).toEqual([1, 2, 3, 4, 5])
  connection.close()
})

it('[C1] a journal that ends before the requested entry causes a reset', () => {
  const { say, told, connection } = follow()
  say(page(1, 5), caughtUp(5), page(8, 8), caughtUp(4))
  expect(told).toEqual(['caught up', 'reset 4'])
  connection.close()
})
