import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { EntryId, SessionId } from '../protocol/ids.ts'

/** The append-only record of what happened in each session. The only source of truth. */
export interface Journal {
  /** Creates a session with its first events. Refused if the session exists. */
  create(session: SessionId, events: readonly Event[], times?: Times): Promise<readonly Entry[]>
  /** Saves events in order, all or none, and numbers them. No follower gets an event before it is saved. */
  append(session: SessionId, events: readonly Event[]): Promise<readonly Entry[]>
  /** The same at most once: if the id or key was saved before, nothing changes, and the result is its first entry. */
  appendOnce(session: SessionId, once: Once, events: readonly Event[]): Promise<SavedOnce>
  /** Entries after number `after`, the oldest first, at most `limit`, possibly fewer. Empty only at the end. */
  read(session: SessionId, after: number, limit: number): Promise<readonly Entry[]>
  /** The same at once if they are in memory; otherwise undefined. */
  readHot(session: SessionId, after: number, limit: number): readonly Entry[] | undefined
  /** The same as JSON texts without the raws, ready for clients, so that nothing is parsed only to be serialized again. */
  readTexts(session: SessionId, after: number, limit: number): Promise<readonly string[]>
  /** The same at once if they are in memory; otherwise undefined. */
  readHotTexts(session: SessionId, after: number, limit: number): readonly string[] | undefined
  /** The number of the last entry; refused for an unknown session. */
  head(session: SessionId): Promise<number>
  /** Finds an entry by its id, in any session. */
  find(id: EntryId): Promise<Entry | undefined>
  /** Finds the first entry that was saved under a key of the session. */
  findByKey(session: SessionId, key: string): Promise<Entry | undefined>
  /** A hint that a session is idle now, so that its entries may be packed. */
  mayPack(session: SessionId): void
}

/** Identifies an append that happens at most once: the id of its first entry, or a key within the session. */
export interface Once {
  readonly id?: EntryId
  readonly key?: string
  readonly times?: Times
}

/** When each event of an append happened, in milliseconds since 1970; without it, all of them happened now. */
export type Times = readonly number[]

/** The result of an append that happens at most once: the entries saved now, or the first entry that was saved before. */
export interface SavedOnce {
  readonly entries: readonly Entry[]
  readonly repeated: boolean
}

/** Wakes followers when a session has new entries. It carries no data, and may ring too often. */
export interface Bell {
  ring(session: SessionId): void
  /** Wakes a sleeper at each ring. */
  listen(session: SessionId, sleeper: Sleeper): void
  /** Stops waking it. */
  unlisten(session: SessionId, sleeper: Sleeper): void
}

/** A follower that the bell wakes. It is an object, because thousands of functions would cost more. */
export interface Sleeper {
  wake(): void
}
