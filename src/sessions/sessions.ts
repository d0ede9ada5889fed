import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Agent } from '../agents/agent.ts'
import type { InteractionFilter, InteractionPage } from '../catalogue/list-interactions.ts'
import type { ManipulationFilter, ManipulationPage } from '../catalogue/list-manipulations.ts'
import type { WorkFilter, WorkPage } from '../catalogue/list-work.ts'
import type { SessionFilter, SessionPage } from '../catalogue/list-sessions.ts'
import type { MessagesRead } from '../catalogue/read-messages.ts'
import type { UsageRead } from '../catalogue/read-usage.ts'
import type { ProfileName } from '../context/index.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { soleOwnership, type Ownership } from '../journal/ownership.ts'
import type { SessionSummary } from '../projections/summary.ts'
import type { Thought } from '../projections/thinking.ts'
import type { Command, CommandOf } from '../protocol/command.ts'
import { DragomanError } from '../protocol/error.ts'
import type { InteractionId, NewId, SessionId } from '../protocol/ids.ts'
import { createAcrossSessions, type AcrossSessions } from './across-sessions.ts'
import { readSessionAgent, type SessionAgent } from './view/session-agent.ts'
import type { ContextFilter, ContextView } from './context/show-context.ts'
import { stoppedWithServer } from './agent/ending.ts'
import { refuseDeleted } from './commands/delete-session.ts'
import { execute } from './commands/execute.ts'
import { exportInteraction, type ExportLine } from './view/export-interaction.ts'
import type { Host, HostStrategies } from './host.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { readLegacy, type LegacyArray } from './view/read-legacy.ts'
import { createImporting, type ImportingSessions } from './import/importing.ts'
import { createTerminals } from './import/terminals.ts'
import { createOwnedSessions, type OwnedSessions } from './own/owned-sessions.ts'
import type { SessionView, SessionViews, Trouble } from './view/session-view.ts'
import { whenIdle } from './own/when-idle.ts'
import { createNewId } from './new-id.ts'
import type { Reply } from './commands/reply.ts'
import type { Routes } from './agent/prompt-routes.ts'
import type { Checkpoint } from './run-steps.ts'
import { createAgentSlots } from './agent/agent-slots.ts'
import {
  approvalsOf,
  detailsOf,
  interactionsOf,
  manipulationsOf,
  messagesOf,
  snapshotOf,
  thinkingOf,
  workLogOf,
  type Approvals,
  type AsOf,
  type MessagesFilter,
  type Reading,
  type SessionDetails,
  type Snapshot,
} from './view/read-session.ts'
import { configureStrategies, type StrategySettings } from './strategies/configure-strategies.ts'
import { createWorkerStrategies } from './strategies/worker-strategies.ts'
import { endsWithin } from './wait.ts'
import { createRowRenewal } from './view/renew-rows.ts'
import { createUsageReader, type UsageWish } from './view/usage.ts'
import { createWatchers } from './watchers.ts'

/** The options for opening sessions. */
export interface SessionsOptions {
  readonly journal: Journal
  /** Rings for new entries, whichever node writes them. Needed when other nodes write to the store. */
  readonly bell?: Bell
  /** Decides which sessions this process may write; all of them by default. */
  readonly ownership?: Ownership
  readonly catalogue: Catalogue
  readonly agents: readonly Agent[]
  /** The folder for process records and lines too long for memory. */
  readonly dataFolder: string
  readonly now?: () => number
  readonly newId?: NewId
  readonly limits?: Partial<Limits>
  /** Which prompts go to another agent than the session's: by their first word, or by a function. None by default. */
  readonly routes?: Routes
  /** The context profile of sessions that do not choose one; `safe` by default. */
  readonly context?: ProfileName | (() => ProfileName)
  /** Custom strategies, added to the built-in ones. */
  readonly strategies?: readonly StrategySettings[]
  /** Returns the folder that a path leads to, or throws. Called when a session is created and when an interaction starts. */
  readonly checkFolder?: (cwd: string) => Promise<string>
  /** Called with faults in an agent's code, which only its author can fix. */
  readonly report?: (message: string, session: SessionId) => void
  /** Sessions that changed last: their rows may be behind the journal, so they are checked on opening. */
  readonly recent?: readonly SessionId[]
  /** For crash tests: called at each of `runSteps`. */
  readonly checkpoint?: Checkpoint
}

/** All sessions of a data folder. Disposing of them ends every agent and saves its exit. */
export interface Sessions extends AcrossSessions, ImportingSessions, AsyncDisposable {
  /** Executes a command. A fault of the caller, or a failure to save, is a `DragomanError`. */
  execute<Type extends Command['type']>(command: CommandOf<Type>): Promise<Reply<Type>>
  /** A deleted session counts as unknown, here and below, unless `deleted` is set. */
  get(session: SessionId, options?: Reading): Promise<SessionDetails>
  /** The agent of a session, its options, and whether it is connected. */
  agentOf(session: SessionId): Promise<SessionAgent>
  list(filter: SessionFilter): Promise<SessionPage>
  /** The tokens of listed sessions, apart where prices may differ. */
  charges: Catalogue['charges']
  /** The usage across sessions; `waiting` is how many of them are not counted yet. */
  usage(filter: UsageWish): Promise<UsageRead & { readonly waiting: number }>
  /** Complete messages of a thread, and the seq that they are complete up to. */
  messages(session: SessionId, filter: MessagesFilter, options?: Reading): Promise<MessagesRead>
  /** The legacy array that a session was created from; null without one. */
  legacy(session: SessionId, options?: Reading): Promise<LegacyArray | null>
  /** Interactions, and the seq that they are complete up to. */
  interactions(
    session: SessionId,
    filter: InteractionFilter,
    options?: Reading,
  ): Promise<AsOf<InteractionPage>>
  /** Lines of the work log, and the seq that they are complete up to. */
  workLog(session: SessionId, filter: WorkFilter, options?: Reading): Promise<AsOf<WorkPage>>
  /** When the agent thought in an interaction, and the seq that it is complete up to. */
  thinking(
    session: SessionId,
    interaction: InteractionId,
    options?: Reading,
  ): Promise<AsOf<{ readonly thoughts: readonly Thought[] }>>
  /** What a model was sent and what was saved by it. When no request was built here, what would be sent. */
  context(session: SessionId, filter: ContextFilter, options?: Reading): Promise<ContextView>
  /** The audit of context changes: changes, refusals and rollbacks, and the seq that it is complete up to. */
  manipulations(
    session: SessionId,
    filter: ManipulationFilter,
    options?: Reading,
  ): Promise<AsOf<ManipulationPage>>
  /** Calls with each line of one exported interaction: its messages, and its entries with their native lines. */
  exportInteraction(
    session: SessionId,
    interaction: InteractionId,
    take: (line: ExportLine) => Promise<void> | void,
    options?: Reading,
  ): Promise<void>
  /** The approvals of the running interaction and the pending ones, or all of them; and the current rules. */
  approvals(session: SessionId, options?: Reading & { readonly all?: boolean }): Promise<Approvals>
  /** A session at one moment: enough to show it, and to continue with the entries after `asOf`. */
  snapshot(session: SessionId, options: Reading & { readonly limit: number }): Promise<Snapshot>
  /** Calls with each session whose listed fields changed; at most ten times a second for each. */
  watch(listener: (summary: SessionSummary) => void): Disposable
  /** Resolves when nothing runs in a session and no prompt is about to start, or at an abort. */
  whenIdle(session: SessionId, signal?: AbortSignal): Promise<void>
  /** The sessions whose events cannot be saved at the moment, or whose work failed. */
  troubles(): readonly Trouble[]
}

/** Opens the sessions. First, what an earlier server left running is closed. */
export async function openSessions(options: SessionsOptions): Promise<Sessions> {
  const stopping = new AbortController()
  const stopped = new AbortController()
  const { strategies, modules } = configureStrategies(options.strategies ?? [])
  const custom = createWorkerStrategies(modules)
  const terminals = createTerminals(options.now ?? Date.now, session => {
    // Lists show that it is over. A session that is gone, or a closed store, has nothing to show.
    const show = ({ record }: SessionView) => host.watchers.notify(null, record.state.summary)
    void owned.views.of(session).then(show, () => undefined)
  })
  const host: Host = createHost(options, { strategies, custom }, terminals, [stopping.signal, stopped.signal])
  const owned: OwnedSessions = createOwnedSessions(host)
  const read = createReader(owned.views)
  const renewRows = createRowRenewal(owned)
  // If this fails, the next list tries again.
  let renewing: Promise<unknown> | undefined
  await owned.recover([...(options.recent ?? []), ...(await host.catalogue.unfinished())])

  return {
    async execute(command) {
      if (stopping.signal.aborted) throw new DragomanError('journal-closed', 'Dragoman is shutting down.')
      return execute(owned, command)
    },
    get: (session, reading) => read(session, reading, detailsOf),
    agentOf: session => read(session, undefined, readSessionAgent),
    async list(filter) {
      await owned.settled()
      renewing ??= renewRows().catch(() => (renewing = undefined))
      return host.catalogue.list(filter)
    },
    charges: (listed, cutsOf) => host.catalogue.charges(listed, cutsOf),
    usage: createUsageReader(owned, renewRows),
    messages: (session, filter, reading) => read(session, reading, view => messagesOf(view, filter)),
    legacy: (session, reading) => read(session, reading, readLegacy),
    interactions: (session, filter, reading) => read(session, reading, view => interactionsOf(view, filter)),
    workLog: (session, filter, reading) => read(session, reading, view => workLogOf(view, filter)),
    thinking: (session, interaction, reading) =>
      read(session, reading, view => thinkingOf(view, interaction)),
    context: (session, filter, reading) =>
      read(session, reading, async view =>
        (await import('./context/show-context.ts')).contextOf(view, filter),
      ),
    manipulations: (session, filter, reading) =>
      read(session, reading, view => manipulationsOf(view, filter)),
    exportInteraction: (session, interaction, take, reading) =>
      read(session, reading, async view => {
        for await (const line of exportInteraction(view, interaction)) await take(line)
      }),
    approvals: (session, reading) => read(session, reading, view => approvalsOf(view, reading?.all === true)),
    ...createAcrossSessions(owned),
    ...createImporting(owned),
    snapshot: (session, reading) => read(session, reading, view => snapshotOf(view, reading.limit)),
    watch: listener => host.watchers.add(listener),
    whenIdle(session, signal) {
      const until = AbortSignal.any([stopped.signal, ...(signal === undefined ? [] : [signal])])
      return whenIdle(owned, session, until)
    },
    troubles: () => owned.troubles(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      for (const { agent } of owned.all()) agent?.end(stoppedWithServer)
      await endsWithin(host.limits.stopMs, owned.done())
      stopped.abort()
      await endsWithin(host.limits.stopMs, owned.done())
      owned.releaseAll()
      await endsWithin(host.limits.stopMs, owned.settled())
      await custom[Symbol.asyncDispose]()
    },
  }
}

/** Reads a session. Throws when it is deleted, unless deleted sessions are included. */
function createReader(views: SessionViews) {
  return async <Result>(
    session: SessionId,
    reading: Reading | undefined,
    look: (view: SessionView) => Promise<Result>,
  ): Promise<Result> => {
    const view = await views.of(session)
    if (reading?.deleted !== true) refuseDeleted(view.record)
    return await look(view)
  }
}

function createHost(
  options: SessionsOptions,
  strategies: HostStrategies,
  terminals: Host['terminals'],
  [stopping, stopped]: readonly [stopping: AbortSignal, stopped: AbortSignal],
): Host {
  const { journal, catalogue, agents, dataFolder, now = Date.now } = options
  const limits = { ...defaultLimits, ...options.limits }
  return {
    journal,
    bell: options.bell ?? null,
    ownership: options.ownership ?? soleOwnership,
    catalogue,
    agents: new Map(agents.map(agent => [agent.name, agent])),
    dataFolder,
    now,
    newId: options.newId ?? createNewId(now),
    limits,
    places: createAgentSlots(limits),
    watchers: createWatchers(limits.watchMs),
    routes: options.routes ?? {},
    get context() {
      const { context = 'safe' } = options
      return typeof context === 'function' ? context() : context
    },
    strategies,
    terminals,
    report: options.report ?? (() => undefined),
    checkFolder: options.checkFolder ?? (async cwd => cwd),
    checkpoint: options.checkpoint ?? null,
    stopping,
    stopped,
  }
}
