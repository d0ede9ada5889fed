import type { Bell, Journal } from '../../src/journal/journal.ts'
import { createAddresses } from '../../src/journal/format/address.ts'
import { entryText } from '../../src/journal/format/run.ts'
import type { Entry } from '../../src/protocol/entry.ts'
import type { Event } from '../../src/protocol/event.ts'
import type { EntryId, SessionId } from '../../src/protocol/ids.ts'
import { wireText } from '../load/wire.ts'

// Enough for a follower that is woken at once; whatever lives longer than that would only burden the memory.
const keptTail = 32

interface Line {
  readonly session: SessionId
  readonly idOf: (seq: number, at: number) => EntryId
  head: number
  tail: Told[]
}

interface Told {
  readonly entry: Entry
  /** The event's JSON, where it was made to be kept. */
  readonly json: string | undefined
}

/** Handles events before their entries are published; gives their JSON, which need not be made again. */
export type Keep = (events: readonly Event[]) => Promise<readonly string[]>

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
  const append = async (session: SessionId, events: readonly Event[]) => {
    const line = lineOf(session)
    const at = Date.now()
    const told = enter(line, events, at, keep && (await keep(events)))
    bell.ring(session)
    return told.map(({ entry }) => entry)
  }
  const entries = (session: SessionId, after: number, limit: number) =>
    newest(lineOf(session), after, limit).map(({ entry }) => entry)
  const texts = (session: SessionId, after: number, limit: number) =>
    newest(lineOf(session), after, limit).map(textOf)

  return {
    async create(session, events) {
      lines.set(session, { session, idOf: addresses.ofSession(lines.size + 1), head: 0, tail: [] })
      return append(session, events)
    },
    append,
    appendOnce: unmeasured,
    read: async (session, after, limit) => entries(session, after, limit),
    readHot: entries,
    readTexts: async (session, after, limit) => texts(session, after, limit),
    readHotTexts: texts,
    head: async session => lineOf(session).head,
    find: unmeasured,
    findByKey: unmeasured,
    mayPack() {},
  }
}

function enter(line: Line, events: readonly Event[], at: number, jsons: readonly string[] | undefined) {
  const { session, idOf, head, tail } = line
  const told = events.map((event, index): Told => {
    const seq = head + index + 1
    return { entry: { session, seq, id: idOf(seq, at), at, event }, json: jsons?.[index] }
  })
  line.head += told.length
  tail.push(...told)
  if (tail.length > keptTail * 2) line.tail = tail.slice(-Math.max(keptTail, told.length))
  return told
}

function newest({ head, tail }: Line, after: number, limit: number): readonly Told[] {
  if (after >= head) return none
  const skipped = tail.length - (head - after)
  if (skipped < 0) throw new Error('The follower is too far behind for this measurement.')
  return tail.slice(skipped, skipped + limit)
}

const textOf = ({ entry, json }: Told) => (json === undefined ? wireText(entry) : entryText(entry, json))

const none: readonly Told[] = []

const unmeasured = () => Promise.reject(new Error('This is no part of any measurement.'))
