// A browser project may not include the library that declares `Disposable`, so our declarations include it.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Replied, Sent } from '../protocol/api/api.ts'
import { createCaller, type Caller } from './call.ts'
import { createConnection, followSession, type EntryReader, type Following } from './follow/connection.ts'
import type { ConnectionState, Way } from './follow/reopen.ts'
import { sseSource } from './follow/sse-source.ts'
import { webSocketSource, type WebSocketMaker } from './follow/websocket-source.ts'
import { createOutbox, type Outbox } from './outbox/outbox.ts'
import { createShelf, defaultStorage, type OutboxStorage } from './outbox/shelf.ts'
import { createPauses } from './pauses.ts'
import type { Readable } from './readable.ts'
import type { Session } from './session.ts'
import { createSessions } from './stores/sessions.ts'
import type { SessionFilter, SessionList } from './stores/session-list.ts'
import type { Surroundings } from './surroundings.ts'
import { defaultTiming, type Timing } from './timing.ts'

/** How a client is made. */
export interface ClientOptions {
  /** The URL of the server; by default the page's origin. */
  readonly url?: string
  /** For programs; a page of the server itself has a cookie. */
  readonly token?: string
  readonly fetch?: typeof fetch
  /** Null: do without, and follow over server-sent events. */
  readonly WebSocket?: WebSocketMaker | null
  /** Where unsent prompts outlive the page: the browser's storage, where there is one. */
  readonly storage?: OutboxStorage
  /** How many messages a session is opened with, and each page of older ones brings. */
  readonly pageSize?: number
  readonly timing?: Partial<Timing>
  readonly now?: () => number
  readonly random?: () => number
}

/** A server as a program sees it. */
export interface Client extends Caller, Disposable {
  readonly url: string
  readonly connection: Readable<ConnectionState>
  readonly outbox: Outbox
  createSession(body?: Sent<'createSession'>['body']): Promise<Replied<'createSession'>>
  listAgents(): Promise<Replied<'listAgents'>['agents']>
  /** One session; nothing is requested until the first subscription. */
  session(id: string): Session
  /** A list of sessions that stays up to date; the same filter gives the same list. */
  sessions(filter?: SessionFilter): SessionList
  /** The sessions that run or wait for an answer. */
  readonly running: SessionList
  /** Follows the entries of a session after a number: each once, in order, through every lost connection. */
  follow(session: string, after: number, reader: EntryReader): Following
  /** The timing, clock, random numbers and pauses of this client. */
  readonly surroundings: Surroundings
  /** Ends everything; unsent prompts stay stored. */
  close(): void
}

/** Connects to a server. Nothing is opened before it is needed. */
export function createClient(options: ClientOptions = {}): Client {
  const url = (options.url ?? globalThis.location.origin).replace(/(?<!\/)\/+$/, '')
  const { now = Date.now, random = Math.random, storage = defaultStorage(), pageSize = 50 } = options
  const timing = { ...defaultTiming, ...options.timing }
  const surroundings: Surroundings = { timing, now, random, pauses: createPauses() }
  const caller = callerOf(url, options, timing)
  const connection = createConnection({ ...surroundings, ways: waysOf(url, options, timing, caller) })
  const outbox = createOutbox({ ...surroundings, caller, newId, shelf: createShelf(storage, url) })
  const sessions = createSessions({ ...surroundings, caller, connection, outbox, pageSize })
  const stop = new AbortController()
  const close = () => {
    stop.abort()
    sessions.close()
    connection.close()
    outbox.close()
    surroundings.pauses.end()
  }
  // A browser without a network may still reach a server on its own machine, so we must try.
  for (const type of ['online', 'offline']) globalThis.addEventListener?.(type, connection.wake, stop)
  return {
    ...caller,
    url,
    connection: connection.state,
    outbox,
    createSession: (body = {}) => caller.call('createSession', { body }),
    listAgents: async () => (await caller.call('listAgents')).agents,
    session: sessions.session,
    sessions: sessions.list,
    running: sessions.running,
    follow: (session, after, reader) => followSession(connection, session, after, reader),
    surroundings,
    close,
    [Symbol.dispose]: close,
  }
}

function callerOf(url: string, { token, fetch }: ClientOptions, { callMs }: Timing): Caller {
  // A browser's own insists on being called as the window's.
  const ask: typeof fetch = fetch ?? ((...given) => globalThis.fetch(...given))
  return createCaller({ url, token, fetch: ask, timeoutMs: callMs })
}

function waysOf(
  url: string,
  { WebSocket = globalThis.WebSocket as WebSocketMaker | undefined, token }: ClientOptions,
  { silenceMs }: Timing,
  caller: Caller,
): readonly Way[] {
  const sse: Way = { transport: 'sse', open: sseSource(caller, silenceMs) }
  if (!WebSocket) return [sse]
  return [{ transport: 'websocket', open: webSocketSource({ url, token, WebSocket }) }, sse]
}

/** A fresh id: 128 bits of chance. Not `randomUUID`, which pages from plain addresses do not have. */
const newId = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
