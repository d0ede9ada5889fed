import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import { uuidV7, type EntryId, type SessionId } from '../protocol/ids.ts'
import type { Bell, Journal, Once } from './journal.ts'
import { sessionExists, unknownSession } from './refusals.ts'

/** The data of journals in memory; several journals can share it. */
export interface MemoryStore {
  readonly sessions: Map<SessionId, Entry[]>
  readonly byId: Map<EntryId, Entry>
  readonly byKey: Map<string, Entry>
}

/** A store with nothing in it. */
export const createMemoryStore = (): MemoryStore => ({
  sessions: new Map(),
  byId: new Map(),
  byKey: new Map(),
})

/** A journal that forgets when the process ends: the reference for the contract, and quick for tests. */
export function createMemoryJournal(
  bell: Bell,
  now: () => number = Date.now,
  { sessions, byId, byKey }: MemoryStore = createMemoryStore(),
): Journal {
  const line = (session: SessionId): Entry[] => {
    const entries = sessions.get(session)
    if (entries === undefined) throw unknownSession(session)
    return entries
  }
  const save = (session: SessionId, events: readonly Event[], once: Once): readonly Entry[] => {
    const entries = line(session)
    const saving = now()
    const saved = events.map((event, index): Entry => {
      const id = index === 0 ? once.id : undefined
      const at = once.times?.[index] ?? saving
      return { session, seq: entries.length + index + 1, id: id ?? freshId(at), at, event }
    })
    entries.push(...saved)
    for (const entry of saved) byId.set(entry.id, entry)
    bell.ring(session)
    return saved
  }

  return {
    async create(session, events, times) {
      if (sessions.has(session)) throw sessionExists(session)
      sessions.set(session, [])
      return save(session, events, { ...(times && { times }) })
    },
    async append(session, events) {
      return save(session, events, {})
    },
    async appendOnce(session, once, events) {
      line(session)
      const key = once.key === undefined ? undefined : keyOf(session, once.key)
      const earlier = (once.id && byId.get(once.id)) ?? (key && byKey.get(key))
      if (earlier) return { entries: [earlier], repeated: true }
      const entries = save(session, events, once)
      const [first] = entries
      if (key !== undefined && first !== undefined) byKey.set(key, first)
      return { entries, repeated: false }
    },
    async read(session, after, limit) {
      return line(session).slice(after, after + limit)
    },
    readHot(session, after, limit) {
      return sessions.get(session)?.slice(after, after + limit)
    },
    async readTexts(session, after, limit) {
      return line(session)
        .slice(after, after + limit)
        .map(textOf)
    },
    readHotTexts(session, after, limit) {
      return sessions
        .get(session)
        ?.slice(after, after + limit)
        .map(textOf)
    },
    async head(session) {
      return line(session).length
    },
    async find(id) {
      return byId.get(id)
    },
    async findByKey(session, key) {
      line(session)
      return byKey.get(keyOf(session, key))
    },
    mayPack() {},
  }
}

const keyOf = (session: SessionId, key: string) => JSON.stringify([session, key])
const freshId = (at: number) => uuidV7(at, crypto.getRandomValues(new Uint8Array(10))) as EntryId

const textOf = (entry: Entry) => JSON.stringify({ ...entry, event: { ...entry.event, raw: undefined } })
