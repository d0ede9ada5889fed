import type { Replied } from '../../protocol/api/api.ts'
import type { Entry } from '../../protocol/entry.ts'

/** A session as lists show it. */
export type ListedSession = Replied<'listSessions'>['sessions'][number]

/** A frame that the server sends, over either transport. */
export type Frame =
  | { readonly type: 'entries'; readonly session: string; readonly entries: readonly Entry[] }
  | { readonly type: 'caught-up'; readonly session: string; readonly seq: number }
  /** The requested entries are on their way; for transports without `caught-up`. */
  | { readonly type: 'following'; readonly session: string }
  /** The cursor was ahead of the journal, which now ends at `head`. */
  | { readonly type: 'reset'; readonly session: string; readonly head: number }
  | { readonly type: 'gone'; readonly session: string; readonly reason: string }
  | { readonly type: 'session'; readonly session: ListedSession }
  | { readonly type: 'draining' | 'pong' }

/** What becomes of a source. `closed` is called when it ends, on either side; later events are ignored. */
export interface SourceEvents {
  opened(): void
  frame(frame: Frame): void
  /** Something without content arrived; it shows that the connection is open. */
  alive(): void
  closed(reason: unknown): void
}

/** One way to the server, over which many sessions are followed. It does not mend itself: a new one takes its place. */
export interface Source {
  /** Requests a session's entries after a number; a second request starts again from there. */
  follow(session: string, after: number): void
  unfollow(session: string): void
  /** Starts or stops requesting every change of any session. */
  watchSessions(isWanted: boolean): void
  /** Called now and then: asks for a sign of life, where one must be asked for. */
  ping(): void
  close(): void
}

/** Opens a source; what is asked of it before it is open is asked then. */
export type OpenSource = (events: SourceEvents) => Source
