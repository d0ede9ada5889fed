import { homedir } from 'node:os'
import type { Agent } from '../agents/agent.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Raw } from '../protocol/event.ts'
import type { Ownership } from '../journal/ownership.ts'
import { createPriceBook } from '../prices/open-price-book.ts'
import type { PriceSettings } from '../prices/price-settings.ts'
import type { SessionId } from '../protocol/ids.ts'
import { findTranscripts, importingAgents, type FindSpoiled } from '../sessions/import/find-transcripts.ts'
import {
  createFollowing,
  memoryOfFollowing,
  type Following,
  type FollowingStore,
} from '../sessions/import/following.ts'
import { createImports, type Imports } from '../sessions/import/imports.ts'
import type { Search } from '../search/search.ts'
import type { Limits } from '../sessions/limits.ts'
import type { Routes } from '../sessions/agent/prompt-routes.ts'
import { openSessions, type Sessions } from '../sessions/sessions.ts'
import type { StrategySettings } from '../sessions/strategies/configure-strategies.ts'
import { createGuard, type Guard } from './auth/guard.ts'
import { createHosts } from './auth/host-and-origin.ts'
import { seedInMemory, type SignInSeed } from './auth/sign-ins.ts'
import { checkToken, newToken } from './auth/token.ts'
import { createHandler, type Fetch } from './handler.ts'
import { createFindAgent } from './find-agent.ts'
import type { ServerParts } from './server-parts.ts'
import { defaultServerLimits, type ServerLimits } from './limits.ts'
import { createLog, type Log } from './log.ts'
import { meterJournal } from './metrics/meter-journal.ts'
import { createMetrics } from './metrics/metrics.ts'
import {
  createPreferences,
  preferencesInMemory,
  type ContextProfile,
  type PreferenceStore,
} from './preferences.ts'
import { refusingWork } from './refuse-when-draining.ts'
import { createFolderCheck } from './roots.ts'
import { createStreams } from './streams/streams.ts'
import { settingsOf } from './settings-of.ts'

/** The store that the server needs. `openStore` of `dragoman/sqlite` returns one. */
export interface ServedStore {
  readonly folder: string
  readonly journal: Journal
  readonly bell: Bell
  /** Decides which sessions this process may write if several share the store. Default: all. */
  readonly ownership?: Ownership
  readonly catalogue: Catalogue
  /** The sessions that changed last, which are checked on opening. */
  readonly recent?: readonly SessionId[]
  /** The full-text search, if there is one. The server has it index new entries. */
  readonly search?: Search
  /** The size of the write-ahead log, if there is one. */
  readonly walBytes?: () => Promise<number | undefined>
  /** Why the journal cannot be used at the moment; null if it can. Readiness reports it. */
  readonly health?: () => DragomanError | null
}

/** The options of a server. */
export interface DragomanOptions {
  readonly store: ServedStore
  readonly agents: readonly Agent[]
  /** The API token. Default: a random one. A token is always required. */
  readonly token?: string
  /** Where sign-outs are stored. Default: in memory, so a restart forgets them. */
  readonly signInSeed?: SignInSeed
  /** The default agent of new sessions. Default: the first agent that is ready; a demo agent only if no other is. */
  readonly defaultAgent?: string
  /** The default folder of new sessions. Default: the current folder of the process. */
  readonly defaultFolder?: string
  /** The folder of the built web app. Without it, there is only the API. */
  readonly web?: string
  /** The folders that agents may work in. Default: the current folder and the user's home. */
  readonly roots?: readonly string[]
  /** Which prompts go to other agents than the session's: `{ '@codex': 'codex' }`, or a function. Default: none. */
  readonly routes?: Routes
  /** The allowed hosts with ports, such as `localhost:3000`. `serve` adds those it listens on. */
  readonly hosts?: readonly string[]
  /** How much to trim the context, unless the session sets it. Default: what was chosen in the app, else `safe`. */
  readonly context?: ContextProfile
  /** Where choices of the app are stored. Default: in memory, so a restart forgets them. */
  readonly preferences?: PreferenceStore
  /** Your own strategies, in addition to the defaults. See `docs/message-management.md`. */
  readonly strategies?: readonly StrategySettings[]
  /** Your own prices, in dollars for a million tokens. See `docs/configuration.md`. */
  readonly prices?: PriceSettings
  readonly limits?: Partial<ServerLimits>
  readonly sessionLimits?: Partial<Limits>
  /** Where log lines go. Default: stderr. */
  readonly log?: (line: string) => void
  readonly now?: () => number
  /** Where agents save their sessions: by default, the folders that the environment of this process names. */
  readonly importing?: ImportingOptions
  /** Whether the linter checks every stream of chunks. */
  readonly lint?: boolean
  /** Reads native lines that are stored in files of the data folder because of their length. */
  readonly rawBytes?: (raw: Raw, dataFolder: string) => AsyncIterable<Uint8Array>
}

/** How the sessions that agents saved are found. */
export interface ImportingOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Names files that look like transcripts but cannot be read. Default: they are ignored. */
  readonly findSpoiled?: FindSpoiled
  /** Whether sessions are followed while agents write them. Default: from the first import on, unless a person turns it off. */
  readonly follow?: boolean | undefined
  /** Where it is saved whether sessions are followed. Default: in memory, so a restart forgets it. */
  readonly followingStore?: FollowingStore
}

/** A server without a port: mount `handler` anywhere, or pass it to `serve`. Disposing of it stops its agents, not its store. */
export interface Dragoman extends AsyncDisposable {
  readonly handler: (request: Request) => Promise<Response>
  readonly sessions: Sessions
  readonly token: string
  /** A one-time sign-in link for a browser. */
  ticketUrl(origin: string): string
  /** Starts nothing new from now on, and ends streams with the position to continue from. */
  drain(): void
  /** For the HTTP server around this one. */
  readonly inside: { readonly parts: ServerParts; readonly guard: Guard; readonly fetch: Fetch }
}

const indexAfterMs = 1000

/** Creates a server. */
export async function createDragoman(options: DragomanOptions): Promise<Dragoman> {
  const { token = newToken(), now = Date.now } = options
  checkToken(token)
  const limits = { ...defaultServerLimits, ...options.limits }
  const { signInSeed: seed = seedInMemory(), hosts = [] } = options
  const elapsed = () => performance.now()
  const guard = createGuard({ token, hosts: createHosts(hosts), limits, seed, now, elapsed })
  const drainage = new AbortController()
  const server = await createParts({ ...options, token, now }, guard, limits, drainage.signal)
  const fetch = createHandler(server, guard)
  // The first page comes before the index.
  const indexing = setTimeout(() => server.search?.start(), indexAfterMs).unref()
  return {
    handler: request => fetch(request),
    sessions: server.sessions,
    token,
    ticketUrl: origin => `${origin}/?ticket=${guard.tickets.make().ticket}`,
    drain: () => drainage.abort(),
    inside: { parts: server, guard, fetch },
    async [Symbol.asyncDispose]() {
      drainage.abort()
      clearTimeout(indexing)
      await server.following[Symbol.asyncDispose]()
      await server.sessions[Symbol.asyncDispose]()
      server.streams[Symbol.dispose]()
    },
  }
}

type Chosen = DragomanOptions & Required<Pick<DragomanOptions, 'token' | 'now'>>

async function createParts(
  options: Chosen,
  { tickets, signIns }: Guard,
  limits: ServerLimits,
  draining: AbortSignal,
): Promise<ServerParts> {
  const { store, agents, token, now } = options
  const { roots = [process.cwd(), homedir()] } = options
  if (agents.length === 0) throw noAgent()
  const checkFolder = createFolderCheck(roots, store.folder)
  const write = options.log ?? (line => void process.stderr.write(line))
  const log = createLog(write, { now, secrets: () => [token, ...Object.values(signIns.current())] })
  const metrics = createMetrics()
  metrics.registry.measure('wal_bytes', 'Bytes of the write-ahead log.', async () => store.walBytes?.())
  const { bell, catalogue, folder } = store
  const journal = meterJournal(store.journal, metrics, log)
  const preferences = createPreferences(options.preferences ?? preferencesInMemory(), problem =>
    log('error', problem),
  )
  const opened = await openSessions({
    journal,
    bell,
    ...(store.ownership && { ownership: store.ownership }),
    catalogue,
    agents,
    dataFolder: folder,
    now,
    checkFolder,
    report: (message, session) => log('error', message, { session }),
    ...(options.routes && { routes: options.routes }),
    context: () => options.context ?? preferences.current().context ?? 'safe',
    ...(options.strategies && { strategies: options.strategies }),
    ...(options.sessionLimits && { limits: options.sessionLimits }),
    ...(store.recent && { recent: store.recent }),
  })
  const findAgent = createFindAgent(now)
  const parts = { limits, roots, checkFolder, findAgent, preferences }
  const following = followingOf(options, opened, now, log)
  const imports = importsOf(options, opened, now, draining, at => following.imported(at))
  const server = {
    sessions: refusingWork(opened, draining),
    imports,
    following,
    journal,
    bell,
    catalogue,
    search: store.search,
    agents: new Map(agents.map(agent => [agent.name, agent])),
    findAgent,
    checkFolder,
    options: await settingsOf(options, parts),
    preferences,
    dataFolder: folder,
    tickets,
    signIns,
    metrics,
    log,
    draining,
    health: () => store.health?.() ?? null,
    openPrices: createPriceBook(options.prices),
    now,
  }
  return { ...server, streams: createStreams(server) }
}

function importsOf(
  { agents, store: { folder }, importing: { env = process.env, findSpoiled } = {} }: DragomanOptions,
  sessions: Sessions,
  now: () => number,
  stopping: AbortSignal,
  imported: (startedAt: number) => void,
): Imports {
  return createImports({
    agents,
    find: (of, path) => findTranscripts({ agents: of, path, env }, findSpoiled),
    sessions,
    isImported: (agent, agentSession) => sessions.isKnown(agent, agentSession),
    dataFolder: folder,
    now,
    stopping,
    imported,
  })
}

function followingOf(
  { agents, store: { folder }, importing = {} }: DragomanOptions,
  sessions: Sessions,
  now: () => number,
  log: Log,
): Following {
  const { env = process.env, follow, followingStore = memoryOfFollowing() } = importing
  return createFollowing({
    agents: importingAgents(agents),
    placesOf: agent => agent.importer?.places(env) ?? [],
    sessions,
    dataFolder: folder,
    configured: follow,
    store: followingStore,
    now,
    report: (file, reason) => log('warning', 'A transcript could not be read completely.', { file, reason }),
    failed: error => log('error', 'Following transcripts failed.', { error }),
  })
}

const noAgent = () =>
  new DragomanError('invalid-input', 'The server needs at least one agent. Pass it in "agents".')
