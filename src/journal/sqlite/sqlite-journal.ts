import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import type { EntryId, SessionId } from '../../protocol/ids.ts'
import type { Journal, Once, SavedOnce, Times } from '../journal.ts'
import { sessionExists } from '../refusals.ts'
import { maxSeq, maxSession, type Addresses } from '../format/address.ts'
import { idName, type Wish } from './batch.ts'
import type { Committer } from './committer.ts'
import {
  newTail,
  readTail,
  readTailTexts,
  refuseDamaged,
  type SessionTail,
  type SessionTails,
} from './session-tails.ts'
import { entriesOf, textsOf, type Unpacked } from '../format/segment.ts'
import { createSegmentReader } from './segment-reader.ts'
import type { Naming } from '../format/run.ts'
import type { Reader } from './threads.ts'

/** The parts of a journal on SQLite. */
export interface Parts {
  readonly tails: SessionTails
  readonly reader: Reader
  readonly committer: Committer
  readonly addresses: Addresses
  /** The number of the newest session. */
  readonly lastNo: number
  readonly now: () => number
}

/** A read, and how its items are made from memory or from a segment. */
interface Reading<Item> {
  readonly after: number
  readonly limit: number
  readonly hot: (tail: SessionTail, after: number, limit: number) => readonly Item[] | undefined
  readonly cold: (naming: Naming, unpacked: Unpacked) => readonly Item[]
  /** Whether that needs the raws. */
  readonly raws: boolean
}

/** The caller's id for the first event, the name of the append, and the times of the events. */
type Saving = Pick<Wish, 'id' | 'name' | 'times'>

/** The journal over its threads. It numbers entries and keeps the newest ones in memory. */
export function createSqliteJournal({ tails, reader, committer, addresses, lastNo, now }: Parts): Journal {
  /** The sessions that are being created. Calls for one of them wait until it exists. */
  const creating = new Map<SessionId, Promise<void>>()
  const open = async (session: SessionId) => {
    await creating.get(session)
    return tails.open(session)
  }
  const savingOnce = new Map<string, Promise<SavedOnce>>()
  const segments = createSegmentReader(reader)
  let newest = lastNo

  const save = (tail: SessionTail, events: readonly Event[], naming: Saving = {}) => {
    refuseDamaged(tail)
    if (tail.head + events.length > maxSeq) throw tooMany('entries in this session')
    return committer.save({ tail, events, at: now(), ...naming })
  }

  /** From memory, or else from the segment with the next entry. */
  const readWith = async <Item>(
    tail: SessionTail,
    { after, limit, hot, cold, raws }: Reading<Item>,
  ): Promise<readonly Item[]> => {
    const found = hot(tail, after, limit)
    if (found?.length === 0) refuseDamaged(tail)
    if (found !== undefined) return found
    const unpacked = await segments.read(tail, after, raws)
    const skipped = after + 1 - unpacked.first
    return cold(tail, unpacked).slice(skipped, skipped + limit)
  }
  const read = (tail: SessionTail, after: number, limit: number) =>
    readWith(tail, { after, limit, hot: readTail, cold: entriesOf, raws: true })
  const readAt = async (tail: SessionTail, seq: number) => (await read(tail, seq - 1, 1))[0]

  const find = async (id: EntryId): Promise<Entry | undefined> => {
    const given = await reader.ask({ type: 'name', name: idName(id) })
    const place = given ?? addresses.read(id)
    const session = place && (await reader.ask({ type: 'session-name', no: place.session }))
    if (place === undefined || session === undefined) return undefined
    const tail = await tails.open(session as SessionId)
    if (place.seq < 1 || place.seq > tail.head) return undefined
    const entry = await readAt(tail, place.seq)
    return entry?.id === id ? entry : undefined
  }
  const findNamed = async (tail: SessionTail, name: string): Promise<Entry | undefined> => {
    const place = await reader.ask({ type: 'name', name })
    return place && readAt(tail, place.seq)
  }

  const saveOnce = async (
    tail: SessionTail,
    { id, key, times }: Once,
    events: readonly Event[],
  ): Promise<SavedOnce> => {
    const name = key === undefined ? undefined : keyName(tail, key)
    const earlier = (id && (await find(id))) ?? (name && (await findNamed(tail, name)))
    if (earlier) return { entries: [earlier], repeated: true }
    const entries = await save(tail, events, { id, name, times })
    return { entries, repeated: false }
  }

  const make = async (session: SessionId, events: readonly Event[], times: Times | undefined) => {
    await creating.get(session)
    if (await exists(tails, session)) throw sessionExists(session)
    if (newest >= maxSession) throw tooMany('sessions in this data folder')
    const tail = newTail(addresses, ++newest, session, now())
    const entries = await committer.save({ tail, events, at: now(), times, isNew: true })
    tails.add(tail)
    return entries
  }

  return {
    create(session, events, times) {
      const making = make(session, events, times)
      // The caller of `create` gets the failure; for other calls the session does not exist then.
      const settled = making.then(nothing, nothing).finally(() => {
        if (creating.get(session) === settled) creating.delete(session)
      })
      creating.set(session, settled)
      return making
    },
    async append(session, events) {
      const tail = tails.known(session) ?? (await open(session))
      return events.length === 0 ? [] : save(tail, events)
    },
    async appendOnce(session, once, events) {
      const tail = await open(session)
      const lock = once.id ?? keyName(tail, once.key ?? '')
      const running = savingOnce.get(lock)
      if (running !== undefined)
        return running.then(({ entries }) => ({ entries: entries.slice(0, 1), repeated: true }))
      const saving = saveOnce(tail, once, events)
      savingOnce.set(lock, saving)
      return saving.finally(() => savingOnce.delete(lock))
    },
    async read(session, after, limit) {
      return read(await tails.open(session), after, limit)
    },
    readHot(session, after, limit) {
      const tail = tails.known(session)
      return tail === undefined || tail.damage !== null ? undefined : readTail(tail, after, limit)
    },
    async readTexts(session, after, limit) {
      return readWith(await tails.open(session), {
        after,
        limit,
        hot: readTailTexts,
        cold: textsOf,
        raws: false,
      })
    },
    readHotTexts(session, after, limit) {
      const tail = tails.known(session)
      return tail === undefined || tail.damage !== null ? undefined : readTailTexts(tail, after, limit)
    },
    async head(session) {
      return (await open(session)).head
    },
    find,
    async findByKey(session, key) {
      const tail = await open(session)
      return findNamed(tail, keyName(tail, key))
    },
    mayPack(session) {
      const tail = tails.known(session)
      if (tail !== undefined) committer.rest(tail.no)
    },
  }
}

const nothing = () => {}

async function exists(tails: SessionTails, session: SessionId): Promise<boolean> {
  try {
    return (await tails.open(session)) !== undefined
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'unknown-session') return false
    throw error
  }
}

const keyName = (tail: SessionTail, key: string) => `key ${tail.no} ${key}`

const tooMany = (what: string) =>
  new DragomanError('save-failed', `The limit for ${what} is reached. Start a new one.`)
