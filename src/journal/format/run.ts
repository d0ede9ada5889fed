import type { Entry } from '../../protocol/entry.ts'
import type { Event, EventOf } from '../../protocol/event.ts'
import type { EntryId, SessionId } from '../../protocol/ids.ts'
import { upcast } from '../../protocol/upcast.ts'

/**
 * Consecutive entries of one session that were saved together, kept in columns: a stream brings many small
 * entries, and an object for each of them would cost more than saving it.
 */
export interface Run {
  readonly session: number
  readonly first: number
  /** The version in which the events were written. */
  readonly version: number
  /** For each entry: time, bytes of the event's JSON, bytes of the raw or -1, 1 if the caller gave an id. */
  readonly numbers: Float64Array
  /** The given ids, in order; other ids follow from the entry's address. */
  readonly ids: readonly string[]
  /** Event, raw, event, raw … without anything between. */
  readonly bytes: Buffer
}

/** How many numbers there are for an entry. */
export const columns = 4

/** One entry of a run, cut out. */
export interface Stored {
  readonly seq: number
  readonly at: number
  readonly id: string | null
  /** The event's JSON and, right behind it, the raw. */
  readonly bytes: Buffer
  readonly eventLength: number
  readonly hasRaw: boolean
}

/** The number of entries in a run. */
export const countOf = ({ numbers }: Run): number => numbers.length / columns

/** The seq of a run's last entry. */
export const lastOf = (run: Run): number => run.first + countOf(run) - 1

/** Cuts a run into its entries, from the n-th on. */
export function* storedOf(run: Run): Generator<Stored, void, undefined> {
  const { first, numbers, ids, bytes } = run
  let offset = 0
  let given = 0
  for (let i = 0; i < numbers.length; i += columns) {
    const eventLength = numbers[i + 1] ?? 0
    const rawLength = numbers[i + 2] ?? -1
    const end = offset + eventLength + Math.max(rawLength, 0)
    yield {
      seq: first + i / columns,
      at: numbers[i] ?? 0,
      id: numbers[i + 3] === 1 ? (ids[given++] ?? null) : null,
      bytes: bytes.subarray(offset, end),
      eventLength,
      hasRaw: rawLength >= 0,
    }
    offset = end
  }
}

/** An event's JSON and its raw text, apart: the raw needs no escaping, and packs better alone. */
export function splitEvent(event: Event): { readonly json: string; readonly raw: string | null } {
  if (!('raw' in event)) return { json: JSON.stringify(event), raw: null }
  const { raw } = event
  if (event.rawBytes !== undefined || event.rawFile !== undefined)
    return { json: JSON.stringify({ ...event, raw: undefined }), raw }
  // Most entries of a stream are like this, and most of their JSON is the same as in the entry before.
  return { json: `${beginningOf(event)}${JSON.stringify(event.chunks)}}`, raw }
}

let before = { type: '', interaction: '' as string | null, connection: '', text: '' }

function beginningOf({ type, interaction, connection }: EventOf<'agent-spoke' | 'host-spoke'>): string {
  if (connection !== before.connection || interaction !== before.interaction || type !== before.type) {
    const text = `${JSON.stringify({ type, interaction, connection }).slice(0, -1)},"chunks":`
    before = { type, interaction, connection, text }
  }
  return before.text
}

type Spoken = Omit<EventOf<'agent-spoke'>, 'raw'>

/** Puts event and raw together again, in the order in which sessions write them, so that both read the same. */
export function joinEvent(json: unknown, raw: string | null, version: number): Event {
  const event = upcast(json, version)
  if (raw === null) return event
  const { type, interaction, connection, chunks } = event as Spoken
  // Most events are like this, and collecting the other fields would cost more than everything else.
  if (!('rawBytes' in event || 'rawFile' in event)) return { type, interaction, connection, raw, chunks }
  const {
    type: _type,
    interaction: _interaction,
    connection: _connection,
    chunks: _chunks,
    ...more
  } = event as Spoken
  return { type, interaction, connection, raw, ...more, chunks }
}

/** The id of a session, and how the ids of its entries are made. */
export interface Naming {
  readonly session: SessionId
  readonly idOf: (seq: number, at: number) => EntryId
}

/** The entry of a stored one. */
export function toEntry({ session, idOf }: Naming, stored: Stored, version: number): Entry {
  const { seq, at, id, bytes, eventLength, hasRaw } = stored
  const raw = hasRaw ? bytes.toString('utf8', eventLength) : null
  const event = joinEvent(JSON.parse(bytes.toString('utf8', 0, eventLength)), raw, version)
  return { session, seq, id: (id ?? idOf(seq, at)) as EntryId, at, event }
}

/** An entry as JSON, from its event's JSON. Ids of sessions and entries contain no characters that JSON escapes. */
export const entryText = ({ session, seq, id, at }: Omit<Entry, 'event'>, event: string): string =>
  `{"session":"${session}","seq":${seq},"id":"${id}","at":${at},"event":${event}}`
