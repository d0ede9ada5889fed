import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { EntryId, SessionId } from '../protocol/ids.ts'

/** The append-only record of what happened. The one source of truth. */
export interface Journal {
  /** Starts the line of a new session with its first events. Refused if the session exists. */
  create(session: SessionId, events: readonly Event[], times?: Times): Promise<readonly Entry[]>
  /** Saves events in order, all or none, and numbers them. Nobody hears of an event before this resolves. */
  append(session: SessionId, events: readonly Event[]): Promise<readonly Entry[]>
  /** The same at most once: when the id or key was saved before, nothing changes and the first entry comes back. */
  appendOnce(session: SessionId, once: Once, events: readonly Event[]): Promise<SavedOnce>
  /** Entries numbered above `after`, oldest first, at most `limit`, possibly fewer. Empty only at the end. */
  read(session: SessionId, after: number, limit: number): Promise<readonly Entry[]>
  /** The same when memory holds them, at once; otherwise undefined. */
  readHot(session: SessionId, after: number, limit: number): readonly Entry[] | undefined
  /** The same as JSON texts without the raws, as they go to clients: nothing is parsed to be written again. */
  readTexts(session: SessionId, after: number, limit: number): Promise<readonly string[]>
  /** The same when memory holds them, at once; otherwise undefined. */
  readHotTexts(session: SessionId, after: number, limit: number): readonly string[] | undefined
  /** The number of the last entry; refused for an unknown session. */
  head(session: SessionId): Promise<number>
  /** Finds an entry by its id, in any session. */
  find(id: EntryId): Promise<Entry | undefined>
  /** Finds the first entry that was saved under a key of the session. */
  findByKey(session: SessionId, key: string): Promise<Entry | undefined>
  /** Says that a session is quiet now, so that its entries may be packed. */
  rest(session: SessionId): void
}

/** What makes an append happen at most once: the id of its first entry, or a name of the caller's within the session. */
export interface Once {
  readonly id?: EntryId
  readonly key?: string
  readonly times?: Times
}

/** When each event of an append happened, in milliseconds since 1970; without it, all of them happened now. */
export type Times = readonly number[]

/** What an append that happens at most once gives: what was saved now, or the first entry of what was saved before. */
export interface SavedOnce {
  readonly entries: readonly Entry[]
  readonly repeated: boolean
}

/** Tells followers that a session has something new. It carries no data and may ring too often. */
export interface Bell {
  ring(session: SessionId): void
  /** Wakes a sleeper at each ring. */
  listen(session: SessionId, sleeper: Sleeper): void
  /** Lets it sleep from now on. */
  unlisten(session: SessionId, sleeper: Sleeper): void
}

/** Who waits for the bell. An object, so that thousands of them cost no function each. */
export interface Sleeper {
  wake(): void
}
