import type { Bell, Journal } from '../../src/journal/journal.ts'
import { createAddresses } from '../../src/journal/sqlite/address.ts'
import type { Entry } from '../../src/protocol/entry.ts'
import type { Event } from '../../src/protocol/event.ts'
import type { EntryId, SessionId } from '../../src/protocol/ids.ts'

// Enough for a follower that is woken at once; whatever lives longer than that would only burden the memory.
const keptTail = 32

interface Line {
  readonly session: SessionId
  readonly idOf: (seq: number, at: number) => EntryId
  head: number
  tail: Entry[]
}

/** What is done with events before their entries are made known. */
export type Keep = (events: readonly Event[]) => Promise<void>

/**
 * A journal for measuring that numbers entries like ours and remembers only the newest ones. Without `keep`
 * nothing is stored at all: the limit that storing is compared with.
 */
export function createPassingJournal(bell: Bell, keep?: Keep): Journal {
  const addresses = createAddresses(crypto.getRandomValues(new Uint8Array(10)))
  const lines = new Map<SessionId, Line>()

  const lineOf = (session: SessionId): Line => {
    const line = lines.get(session)
    if (line === undefined) throw new Error(`There is no session ${session}.`)
    return line
  }
  const enter = (line: Line, events: readonly Event[], at: number): readonly Entry[] => {
    const { session, idOf, head, tail } = line
    const entries = events.map((event, index): Entry => {
      const seq = head + index + 1
      return { session, seq, id: idOf(seq, at), at, event }
    })
    line.head += entries.length
    tail.push(...entries)
    if (tail.length > keptTail * 2) line.tail = tail.slice(-Math.max(keptTail, entries.length))
    bell.ring(session)
    return entries
  }
  const append = async (session: SessionId, events: readonly Event[]) => {
    const line = lineOf(session)
    const at = Date.now()
    if (keep !== undefined) await keep(events)
    return enter(line, events, at)
  }
  const readHot = (session: SessionId, after: number, limit: number) => {
    const { head, tail } = lineOf(session)
    if (after >= head) return none
    const skipped = tail.length - (head - after)
    if (skipped < 0) throw new Error('The follower is too far behind for this measurement.')
    return tail.slice(skipped, skipped + limit)
  }

  return {
    async create(session, events) {
      lines.set(session, { session, idOf: addresses.ofSession(lines.size + 1), head: 0, tail: [] })
      return append(session, events)
    },
    append,
    appendOnce: unmeasured,
    read: async (session, after, limit) => readHot(session, after, limit),
    readHot,
    head: async session => lineOf(session).head,
    find: unmeasured,
    findByKey: unmeasured,
    rest() {},
  }
}

const none: readonly Entry[] = []

const unmeasured = () => Promise.reject(new Error('This is no part of any measurement.'))
