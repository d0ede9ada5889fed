import type { Event } from './event.ts'
import type { EntryId, SessionId } from './ids.ts'

/** An event in its place: `seq` counts 1, 2, 3 … within its session, without holes. */
export interface Entry {
  readonly session: SessionId
  readonly seq: number
  readonly id: EntryId
  /** Milliseconds since 1970, for people; the order is `seq`. */
  readonly at: number
  readonly event: Event
}
