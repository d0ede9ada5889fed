import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import type { EntryId, SessionId } from '../../protocol/ids.ts'
import type { Journal, Once, SavedOnce, Times } from '../journal.ts'
import { sessionExists } from '../refusals.ts'
import { maxSeq, maxSession, type Addresses } from './address.ts'
import { idName, type Wish } from './batch.ts'
import type { Committer } from './committer.ts'
import { readTail, readTailTexts, refuseDamaged, type Line } from './line.ts'
import { newLine, type Lines } from './lines.ts'
import { entriesOf, textsOf, type Unpacked } from './segment.ts'
import { createSegmentReader } from './segment-reader.ts'
import type { Naming } from './run.ts'
import type { Reader } from './threads.ts'

/** What a journal on SQLite works with. */
export interface Parts {
  readonly lines: Lines
  readonly reader: Reader
  readonly committer: Committer
  readonly addresses: Addresses
  /** The number of the newest session. */
  readonly lastNo: number
  readonly now: () => number
}

/** What is read, and how it is made of what memory or a segment holds. */
interface Reading<Item> {
  readonly after: number
  readonly limit: number
  readonly hot: (line: Line, after: number, limit: number) => readonly Item[] | undefined
  readonly cold: (naming: Naming, unpacked: Unpacked) => readonly Item[]
  /** Whether that needs the raws. */
  readonly raws: boolean
}

/** What is saved beside events: the caller's id for the first, the name of the append, and times. */
type Saving = Pick<Wish, 'id' | 'name' | 'times'>

/** The journal over its threads: it numbers, it asks, and it remembers the newest entries. */
export function createSqliteJournal({ lines, reader, committer, addresses, lastNo, now }: Parts): Journal {
  /** The sessions that are being created: whoever asks for one waits until it is there. */
  const creating = new Map<SessionId, Promise<void>>()
  const open = async (session: SessionId) => {
    await creating.get(session)
    return lines.open(session)
  }
  const savingOnce = new Map<string, Promise<SavedOnce>>()
  const segments = createSegmentReader(reader)
  let newest = lastNo

  const save = (line: Line, events: readonly Event[], naming: Saving = {}) => {
    refuseDamaged(line)
    if (line.head + events.length > maxSeq) throw tooMany('entries in this session')
    return committer.save({ line, events, at: now(), ...naming })
  }

  /** From memory, or else from the segment that holds what comes next. */
  const readWith = async <Item>(
    line: Line,
    { after, limit, hot, cold, raws }: Reading<Item>,
  ): Promise<readonly Item[]> => {
    const found = hot(line, after, limit)
    if (found?.length === 0) refuseDamaged(line)
    if (found !== undefined) return found
    const unpacked = await segments.read(line, after, raws)
    const skipped = after + 1 - unpacked.first
    return cold(line, unpacked).slice(skipped, skipped + limit)
  }
  const read = (line: Line, after: number, limit: number) =>
    readWith(line, { after, limit, hot: readTail, cold: entriesOf, raws: true })
  const readAt = async (line: Line, seq: number) => (await read(line, seq - 1, 1))[0]

  const find = async (id: EntryId): Promise<Entry | undefined> => {
    const given = await reader.ask({ type: 'name', name: idName(id) })
    const place = given ?? addresses.read(id)
    const session = place && (await reader.ask({ type: 'session-name', no: place.session }))
    if (place === undefined || session === undefined) return undefined
    const line = await lines.open(session as SessionId)
    if (place.seq < 1 || place.seq > line.head) return undefined
    const entry = await readAt(line, place.seq)
    return entry?.id === id ? entry : undefined
  }
  const findNamed = async (line: Line, name: string): Promise<Entry | undefined> => {
    const place = await reader.ask({ type: 'name', name })
    return place && readAt(line, place.seq)
  }

  const saveOnce = async (
    line: Line,
    { id, key, times }: Once,
    events: readonly Event[],
  ): Promise<SavedOnce> => {
    const name = key === undefined ? undefined : keyName(line, key)
    const earlier = (id && (await find(id))) ?? (name && (await findNamed(line, name)))
    if (earlier) return { entries: [earlier], repeated: true }
    const entries = await save(line, events, { id, name, times })
    return { entries, repeated: false }
  }

  const make = async (session: SessionId, events: readonly Event[], times: Times | undefined) => {
    await creating.get(session)
    if (await exists(lines, session)) throw sessionExists(session)
    if (newest >= maxSession) throw tooMany('sessions in this data folder')
    const line = newLine(addresses, ++newest, session, now())
    const entries = await committer.save({ line, events, at: now(), times, isNew: true })
    lines.add(line)
    return entries
  }

  return {
    create(session, events, times) {
      const making = make(session, events, times)
      // Whoever creates it hears of a failure; for others it is then not there.
      const settled = making.then(nothing, nothing).finally(() => {
        if (creating.get(session) === settled) creating.delete(session)
      })
      creating.set(session, settled)
      return making
    },
    async append(session, events) {
      const line = lines.known(session) ?? (await open(session))
      return events.length === 0 ? [] : save(line, events)
    },
    async appendOnce(session, once, events) {
      const line = await open(session)
      const lock = once.id ?? keyName(line, once.key ?? '')
      const running = savingOnce.get(lock)
      if (running !== undefined)
        return running.then(({ entries }) => ({ entries: entries.slice(0, 1), repeated: true }))
      const saving = saveOnce(line, once, events)
      savingOnce.set(lock, saving)
      return saving.finally(() => savingOnce.delete(lock))
    },
    async read(session, after, limit) {
      return read(await lines.open(session), after, limit)
    },
    readHot(session, after, limit) {
      const line = lines.known(session)
      return line === undefined || line.damage !== null ? undefined : readTail(line, after, limit)
    },
    async readTexts(session, after, limit) {
      return readWith(await lines.open(session), {
        after,
        limit,
        hot: readTailTexts,
        cold: textsOf,
        raws: false,
      })
    },
    readHotTexts(session, after, limit) {
      const line = lines.known(session)
      return line === undefined || line.damage !== null ? undefined : readTailTexts(line, after, limit)
    },
    async head(session) {
      return (await open(session)).head
    },
    find,
    async findByKey(session, key) {
      const line = await open(session)
      return findNamed(line, keyName(line, key))
    },
    rest(session) {
      const line = lines.known(session)
      if (line !== undefined) committer.rest(line.no)
    },
  }
}

const nothing = () => {}

async function exists(lines: Lines, session: SessionId): Promise<boolean> {
  try {
    return (await lines.open(session)) !== undefined
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'unknown-session') return false
    throw error
  }
}

const keyName = (line: Line, key: string) => `key ${line.no} ${key}`

const tooMany = (what: string) =>
  new DragomanError('save-failed', `The limit for ${what} is reached. Start a new one.`)
