import { homedir } from 'node:os'
import type { Agent } from '../agents/agent.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Raw } from '../protocol/event.ts'
import type { Ownership } from '../journal/ownership.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Limits } from '../sessions/limits.ts'
import type { Routes } from '../sessions/agent/routes.ts'
import { openSessions, type Sessions, type SessionsOptions } from '../sessions/sessions.ts'
import type { StrategySettings } from '../sessions/strategies/configure-strategies.ts'
import { createGuard, type Guard } from './auth/guard.ts'
import { createHosts } from './auth/host-and-origin.ts'
import { seedInMemory, type SignInSeed } from './auth/sign-ins.ts'
import { checkToken, newToken } from './auth/token.ts'
import { createHandler, type Fetch } from './handler.ts'
import { createFindAgent } from './find-agent.ts'
import type { House } from './house.ts'
import { defaultServerLimits, type ServerLimits } from './limits.ts'
import { createLog } from './log.ts'
import { meterJournal } from './metrics/meter-journal.ts'
import { createMetrics } from './metrics/metrics.ts'
import { refusingWork } from './refuse-when-draining.ts'
import { createFolderCheck } from './roots.ts'
import { createStreams } from './streams/streams.ts'
import { shortRawBytes } from './short-raw-bytes.ts'

/** Where everything is kept, as far as the server needs it: what `openStore` of `dragoman/sqlite` gives fits. */
export interface ServedStore {
  readonly folder: string
  readonly journal: Journal
  readonly bell: Bell
  /** Decides which sessions this process may write, where several share the store; all of them, unless it is there. */
  readonly ownership?: Ownership
  readonly catalogue: Catalogue
  /** The sessions that changed last: they are looked at on opening. */
  readonly recent?: readonly SessionId[]
  /** The size of the write-ahead log, where there is one. */
  readonly walBytes?: () => Promise<number | undefined>
  /** Why nothing can be saved or read at the moment; null when all is well. Readiness reports it. */
  readonly health?: () => DragomanError | null
}

/** What a server is made of. */
export interface DragomanOptions {
  readonly store: ServedStore
  readonly agents: readonly Agent[]
  /** The API token; a random one when left out. A token is always required. */
  readonly token?: string
  /** Where it is kept that browsers were signed out; in memory when left out, so that a restart forgets it. */
  readonly signInSeed?: SignInSeed
  /** The default agent of new sessions; the first one when left out. */
  readonly defaultAgent?: string
  /** The default folder of new sessions; the current folder of the process when left out. */
  readonly defaultFolder?: string
  /** The folder of the web app, as it was built. Without one, only programs are served. */
  readonly web?: string
  /** Where agents may work; by default the folder where the process was started, and the home of its user. */
  readonly roots?: readonly string[]
  /** Which prompts go to other agents than the session's: `{ '@codex': 'codex' }`, or a function. None when left out. */
  readonly routes?: Routes
  /** The names with ports under which the server is reached: `localhost:3000`. `serve` adds those it listens on. */
  readonly hosts?: readonly string[]
  /** How much to trim the context, unless the session sets it; `safe` when left out. */
  readonly context?: NonNullable<SessionsOptions['context']>
  /** Strategies of one's own, added to those that hold without: see `docs/message-management.md`. */
  readonly strategies?: readonly StrategySettings[]
  readonly limits?: Partial<ServerLimits>
  readonly sessionLimits?: Partial<Limits>
  /** Where lines of the log go; by default to stderr. */
  readonly log?: (line: string) => void
  readonly now?: () => number
  /** Whether the linter looks over every stream of chunks while it is written. */
  readonly lint?: boolean
  /** Gives native lines back that were too long for memory and lie in files of the data folder. */
  readonly rawBytes?: (raw: Raw, dataFolder: string) => AsyncIterable<Uint8Array>
}

/** A server without a port: mount `handler` anywhere, or give it to `serve`. Disposing of it ends its agents, not its store. */
export interface Dragoman extends AsyncDisposable {
  readonly handler: (request: Request) => Promise<Response>
  readonly sessions: Sessions
  readonly token: string
  /** An address that lets one browser in, once. */
  ticketUrl(origin: string): string
  /** Begins nothing new from now on, and sends streams away with where to go on. */
  drain(): void
  /** For what carries the server. */
  readonly inside: { readonly house: House; readonly guard: Guard; readonly fetch: Fetch }
}

/** Puts a server together. */
export async function createDragoman(options: DragomanOptions): Promise<Dragoman> {
  const { token = newToken(), now = Date.now } = options
  checkToken(token)
  const limits = { ...defaultServerLimits, ...options.limits }
  const { signInSeed: seed = seedInMemory(), hosts = [] } = options
  const elapsed = () => performance.now()
  const guard = createGuard({ token, hosts: createHosts(hosts), limits, seed, now, elapsed })
  const drainage = new AbortController()
  const house = await createHouse({ ...options, token, now }, guard, limits, drainage.signal)
  const fetch = createHandler(house, guard)
  return {
    handler: request => fetch(request),
    sessions: house.sessions,
    token,
    ticketUrl: origin => `${origin}/?ticket=${guard.tickets.make().ticket}`,
    drain: () => drainage.abort(),
    inside: { house, guard, fetch },
    async [Symbol.asyncDispose]() {
      drainage.abort()
      await house.sessions[Symbol.asyncDispose]()
      house.streams[Symbol.dispose]()
    },
  }
}

type Chosen = DragomanOptions & Required<Pick<DragomanOptions, 'token' | 'now'>>

async function createHouse(
  options: Chosen,
  { tickets, signIns }: Guard,
  limits: ServerLimits,
  draining: AbortSignal,
): Promise<House> {
  const { store, agents, token, now, lint = false, rawBytes = shortRawBytes } = options
  const { defaultAgent = firstOf(agents), roots = [process.cwd(), homedir()] } = options
  const checkFolder = createFolderCheck(roots, store.folder)
  const write = options.log ?? (line => void process.stderr.write(line))
  const log = createLog(write, { now, secrets: () => [token, ...Object.values(signIns.current())] })
  const metrics = createMetrics()
  metrics.registry.measure('wal_bytes', 'Bytes of the write-ahead log.', async () => store.walBytes?.())
  const { bell, catalogue, folder } = store
  const journal = meterJournal(store.journal, metrics, log)
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
    ...(options.context && { context: options.context }),
    ...(options.strategies && { strategies: options.strategies }),
    ...(options.sessionLimits && { limits: options.sessionLimits }),
    ...(store.recent && { recent: store.recent }),
  })
  const { defaultFolder = process.cwd() } = options
  const isAllowed = await checkFolder(defaultFolder).then(
    () => true,
    () => false,
  )
  const chosen = {
    defaultAgent,
    // Whoever is served from elsewhere works in the first folder that is allowed.
    defaultFolder: isAllowed ? defaultFolder : (roots[0] ?? defaultFolder),
    web: options.web,
    limits,
    lint,
    rawBytes: (raw: Raw) => rawBytes(raw, folder),
  }
  const house = {
    sessions: refusingWork(opened, draining),
    journal,
    bell,
    catalogue,
    agents: new Map(agents.map(agent => [agent.name, agent])),
    findAgent: createFindAgent(now),
    options: chosen,
    tickets,
    signIns,
    metrics,
    log,
    draining,
    health: () => store.health?.() ?? null,
    now,
  }
  return { ...house, streams: createStreams(house) }
}

function firstOf([first]: readonly Agent[]): string {
  if (first !== undefined) return first.name
  throw new DragomanError('invalid-input', 'The server needs at least one agent. Pass it in "agents".')
}
