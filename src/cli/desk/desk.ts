import type { Replied } from '../../protocol/api/api.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { DeepReadonly } from '../../server/deep-readonly.ts'
import type { ContextFilter } from '../../sessions/context/show-context.ts'
import type { ManipulationFilter } from '../../catalogue/list-manipulations.ts'
import type { WorkFilter, WorkPage } from '../../catalogue/list-work.ts'

/** A session as programs get it. */
export type Session = Replied<'listSessions'>['sessions'][number]

/** What a model is sent, as programs get it. */
export type Context = DeepReadonly<Replied<'getContext'>>

/** A line of the audit, as programs get it. */
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
  /** Whether the native words are wanted, too. */
  readonly raw: boolean
  /** Whether to wait however long a server is away. */
  readonly patient?: boolean
}

/** Why the words of a session cannot be saved at the moment. */
export interface Trouble {
  readonly message: string
  readonly since: number
}

/**
 * Everything that commands do with sessions, in this process or through a server that uses the data folder.
 * Disposing of it closes what was opened for it.
 */
export interface Desk extends AsyncDisposable {
  /** The data folder. */
  readonly folder: string
  create(command: CommandOf<'create'> & { readonly session: string }): Promise<void>
  prompt(command: CommandOf<'prompt'> & { readonly prompt: string }): Promise<void>
  /** Takes a prompt back that has not begun; refused when it has. */
  withdraw(session: SessionId, prompt: string): Promise<void>
  answer(command: CommandOf<'answer'>): Promise<void>
  interrupt(session: SessionId): Promise<void>
  list(
    filter: SessionFilter,
  ): Promise<{ readonly sessions: readonly Session[]; readonly next: string | null }>
  /** The number of the last entry; refused for an unknown session. */
  head(session: SessionId): Promise<number>
  /** Entries above `after` with their native words, oldest first, at most `limit`. Empty only at the end. */
  read(session: SessionId, after: number, limit: number): Promise<readonly Entry[]>
  /** Every entry above `after`, then each new one, in order and once; a server that comes back goes on where it was. */
  follow(session: SessionId, after: number, options: FollowOptions): AsyncIterable<readonly Entry[]>
  /** Lines of the work log, the oldest first; `next` is the cursor of the page before. */
  workLog(session: SessionId, filter: WorkFilter): Promise<WorkPage>
  /** What the model is sent, and what was saved. */
  context(session: SessionId, filter: ContextFilter): Promise<Context>
  /** Context changes, oldest first; pass `next` as `before` to get the previous page. */
  manipulations(
    session: SessionId,
    filter: ManipulationFilter,
  ): Promise<{ readonly manipulations: readonly Manipulation[]; readonly next: number | null }>
  /** Undoes context changes. */
  rollBack(command: CommandOf<'roll-back'>): Promise<DeepReadonly<Replied<'rollBack'>>>
  /** Resolves when nothing runs in a session and nothing is about to, or at an abort. */
  whenIdle(session: SessionId, signal: AbortSignal): Promise<void>
  trouble(session: SessionId): Promise<Trouble | null>
}
