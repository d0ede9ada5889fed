import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Agent } from '../agents/agent.ts'
import type { MessageFilter } from '../catalogue/list-messages.ts'
import type { SessionFilter, SessionPage } from '../catalogue/list-sessions.ts'
import type { MessagesRead } from '../catalogue/read-messages.ts'
import type { Journal } from '../journal/journal.ts'
import type { Approval } from '../projections/approvals.ts'
import type { Command, CommandOf } from '../protocol/command.ts'
import { DragomanError } from '../protocol/error.ts'
import type { NewId, SessionId } from '../protocol/ids.ts'
import { stoppedWithServer } from './ending.ts'
import { execute } from './execute.ts'
import type { Host } from './host.ts'
import type { Trouble } from './keep.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { createLiveSessions } from './live-sessions.ts'
import { createNewId } from './new-id.ts'
import { recover } from './recover.ts'
import type { Reply } from './reply.ts'
import type { Checkpoint } from './run-steps.ts'
import { createPlaces } from './supervise.ts'
import { approvalsOf, messagesOf, detailsOf, isIdle, type SessionDetails } from './views.ts'
import { endsWithin } from './wait.ts'

/** What sessions are opened with. */
export interface SessionsOptions {
  readonly journal: Journal
  readonly catalogue: Catalogue
  readonly agents: readonly Agent[]
  /** The folder for process records and lines too long for memory. */
  readonly dataFolder: string
  readonly now?: () => number
  readonly newId?: NewId
  readonly limits?: Partial<Limits>
  /** Sessions that changed last: their rows may be behind the journal, so they are looked at on opening. */
  readonly recent?: readonly SessionId[]
  /** For crash tests: called at each of `runSteps`. */
  readonly checkpoint?: Checkpoint
}

/** All sessions of a data folder. Disposing of them ends every agent, in good order. */
export interface Sessions extends AsyncDisposable {
  /** Does what a person asks. A fault of the caller, or a failure to save, is a `DragomanError`. */
  execute<Type extends Command['type']>(command: CommandOf<Type>): Promise<Reply<Type>>
  get(session: SessionId): Promise<SessionDetails>
  list(filter: SessionFilter): Promise<SessionPage>
  /** Messages of a thread, whole, with the seq that they are complete up to. */
  messages(session: SessionId, filter: MessageFilter): Promise<MessagesRead>
  /** The approvals of what runs, and those that still wait. */
  approvals(session: SessionId): Promise<readonly Approval[]>
  /** Resolves when nothing runs in a session and nothing is about to, or at an abort. */
  whenIdle(session: SessionId, signal?: AbortSignal): Promise<void>
  /** The sessions whose words cannot be saved at the moment, or whose work broke off. */
  troubles(): readonly Trouble[]
}

/** Opens the sessions; what an earlier server left running is closed honestly first. */
export async function openSessions(options: SessionsOptions): Promise<Sessions> {
  const stopping = new AbortController()
  const stopped = new AbortController()
  const host = createHost(options, stopping.signal, stopped.signal)
  const lives = createLiveSessions(host)
  await recover(lives, [...(options.recent ?? []), ...(await host.catalogue.unfinished())])

  return {
    async execute(command) {
      if (stopping.signal.aborted) throw new DragomanError('journal-closed', 'Dragoman is being stopped.')
      return execute(lives, command)
    },
    get: session => lives.use(session, async live => detailsOf(live)),
    async list(filter) {
      await lives.settled()
      return host.catalogue.list(filter)
    },
    messages: (session, filter) => lives.use(session, live => messagesOf(live, filter)),
    approvals: session => lives.use(session, approvalsOf),
    whenIdle(session, signal) {
      const until = AbortSignal.any([stopped.signal, ...(signal === undefined ? [] : [signal])])
      return lives.use(session, live => live.line.when(state => isIdle(live, state), until))
    },
    troubles: () => lives.troubles(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      for (const { agent } of lives.all()) agent?.end(stoppedWithServer)
      await endsWithin(host.limits.stopMs, lives.done())
      stopped.abort()
      await endsWithin(host.limits.stopMs, lives.done())
      await endsWithin(host.limits.stopMs, lives.settled())
    },
  }
}

function createHost(options: SessionsOptions, stopping: AbortSignal, stopped: AbortSignal): Host {
  const { journal, catalogue, agents, dataFolder, now = Date.now } = options
  const limits = { ...defaultLimits, ...options.limits }
  return {
    journal,
    catalogue,
    agents: new Map(agents.map(agent => [agent.name, agent])),
    dataFolder,
    now,
    newId: options.newId ?? createNewId(now),
    limits,
    places: createPlaces(limits),
    checkpoint: options.checkpoint ?? (() => {}),
    stopping,
    stopped,
  }
}
