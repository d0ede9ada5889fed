import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { EntryId, SessionId } from '../../protocol/ids.ts'
import { upcast } from '../../protocol/upcast.ts'

/** An entry as it lies in the database: the event's JSON and, right behind it, the raw text. */
export interface Stored {
  readonly seq: number
  /** The version in which the event was written. */
  readonly version: number
  readonly at: number
  /** An id that the caller gave; others follow from the entry's address. */
  readonly id: string | null
  readonly bytes: Buffer
  readonly eventLength: number
  readonly hasRaw: boolean
  readonly checksum: number
}

/** Consecutive entries of one session. */
export interface Run {
  readonly session: number
  readonly entries: readonly Stored[]
}

/** An event's JSON and its raw text, apart: the raw needs no escaping, and packs better alone. */
export function splitEvent(event: Event): { readonly json: string; readonly raw: string | null } {
  if (!('raw' in event)) return { json: JSON.stringify(event), raw: null }
  return { json: JSON.stringify({ ...event, raw: undefined }), raw: event.raw }
}

/** Puts event and raw together again. */
export function joinEvent(json: unknown, raw: string | null, version: number): Event {
  const event = upcast(json, version)
  return raw === null ? event : ({ ...event, raw } as Event)
}

/** What is needed to name the entries of a session. */
export interface Naming {
  readonly session: SessionId
  readonly idOf: (seq: number, at: number) => EntryId
}

/** The entry that a stored one stands for. */
export function toEntry({ session, idOf }: Naming, stored: Stored): Entry {
  const { seq, version, at, id, bytes, eventLength, hasRaw } = stored
  const raw = hasRaw ? bytes.toString('utf8', eventLength) : null
  const event = joinEvent(JSON.parse(bytes.toString('utf8', 0, eventLength)), raw, version)
  return { session, seq, id: (id ?? idOf(seq, at)) as EntryId, at, event }
}
