import type { Usage, UsageQuery } from '../../client/usage/index.ts'
import type { Replied } from '../../protocol/api/api.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { DeepReadonly } from '../../server/deep-readonly.ts'
import type { ContextFilter } from '../../sessions/context/show-context.ts'
import type { ManipulationFilter } from '../../catalogue/list-manipulations.ts'
import type { WorkFilter, WorkPage } from '../../catalogue/list-work.ts'

/** A session, as in replies of the API. */
export type Session = Replied<'listSessions'>['sessions'][number]

/** A text that was found, as in replies of the API. */
export type Hit = DeepReadonly<Replied<'search'>>['hits'][number]

/** Hits, the newest first. */
export type SearchPage = DeepReadonly<Replied<'search'>>

/** What to search for. */
export interface SearchWish {
  readonly query: string
  /** The `next` of the page before. */
  readonly cursor?: string
  readonly limit: number
}

/** The context that a model gets, as in replies of the API. */
export type Context = DeepReadonly<Replied<'getContext'>>

/** A context change, as in replies of the API. */
export type Manipulation = DeepReadonly<Replied<'listManipulations'>['manipulations'][number]>

/** Which sessions to list. */
export interface SessionFilter {
  readonly query?: string
  readonly agent?: string
  readonly status?: Session['status']
  readonly archived?: boolean
  readonly cursor?: string
  readonly limit: number
}

/** How entries are followed. */
export interface FollowOptions {
  readonly signal: AbortSignal
  /** Whether to include native lines. */
  readonly raw: boolean
  /** Whether to wait for a server without a time limit. */
  readonly patient?: boolean
}

/** Why a session cannot be saved at the moment. */
export interface Trouble {
  readonly message: string
  readonly since: number
}

/**
 * Everything that commands do with sessions, in this process or through a server that uses the data folder.
 * Disposing of it closes what was opened for it.
 */
export interface SessionsApi extends AsyncDisposable {
  /** The data folder. */
  readonly folder: string
  create(command: CommandOf<'create'> & { readonly session: string }): Promise<void>
  /** Changes options of the session's agent; refused while it is busy. */
  configure(session: SessionId, options: CommandOf<'configure'>['options']): Promise<void>
  prompt(command: CommandOf<'prompt'> & { readonly prompt: string }): Promise<void>
  /** Cancels a prompt that has not started; refused if it has. */
  withdraw(session: SessionId, prompt: string): Promise<void>
  answer(command: CommandOf<'answer'>): Promise<void>
  interrupt(session: SessionId): Promise<void>
  list(
    filter: SessionFilter,
  ): Promise<{ readonly sessions: readonly Session[]; readonly next: string | null }>
  /** Searches all sessions. `onBehind` is called with the number of entries that are indexed first. */
  search(wish: SearchWish, onBehind: (behind: number) => void): Promise<SearchPage>
  /** The number of the last entry; refused for an unknown session. */
  head(session: SessionId): Promise<number>
  /** Entries above `after` with their native lines, oldest first, at most `limit`. Empty only at the end. */
  read(session: SessionId, after: number, limit: number): Promise<readonly Entry[]>
  /** Every entry above `after`, then each new one, in order and once. Continues after the server restarts. */
  follow(session: SessionId, after: number, options: FollowOptions): AsyncIterable<readonly Entry[]>
  /** Lines of the work log, oldest first; pass `next` as `cursor` to get the previous page. */
  workLog(session: SessionId, filter: WorkFilter): Promise<WorkPage>
  /** The context that the model gets, and what was saved by context changes. */
  context(session: SessionId, filter: ContextFilter): Promise<Context>
  /** Context changes, oldest first; pass `next` as `before` to get the previous page. */
  manipulations(
    session: SessionId,
    filter: ManipulationFilter,
  ): Promise<{ readonly manipulations: readonly Manipulation[]; readonly next: number | null }>
  /** Undoes context changes. */
  rollBack(command: CommandOf<'roll-back'>): Promise<DeepReadonly<Replied<'rollBack'>>>
  /** What agents used, and what it cost. */
  usage(query: UsageQuery): Promise<Usage>
  /** Resolves when nothing runs in a session and nothing is about to, or at an abort. */
  whenIdle(session: SessionId, signal: AbortSignal): Promise<void>
  trouble(session: SessionId): Promise<Trouble | null>
}
