import { refuseInput } from '../../protocol/refuse-input.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { asObject, type Json } from '../../protocol/json.ts'
import type { AgentLine, Answer, Connection, ConnectOptions, Exit, ForkPoint } from '../agent.ts'
import { textOf } from '../kit/fields.ts'
import { readLines } from '../kit/line-reader.ts'
import type { LogPieces } from '../program.ts'
import { tryIt } from '../kit/start-failure.ts'
import { defaultPatience } from '../kit/watch-start.ts'
import { permissionReply, questionReply } from './answers.ts'
import { createConversation, withNews, type Conversation } from './conversation.ts'
import { eventLines } from './event-lines.ts'
import { afterPoint } from './fork-point.ts'
import { withPlugin } from './history-plugin.ts'
import { openEvents, request } from './http.ts'
import { readOptions, type OpenCodeOptions } from './options.ts'
import { programOf } from './program.ts'
import { promptParts } from './prompt-parts.ts'
import { openDesk } from './request-desk.ts'
import { createServers, type Lease, type Servers } from './servers.ts'

const againMs = 300
const servers = createServers()

/** Connects to the server of a folder, which is started if needed, and begins, resumes or copies a session. */
export const connect = (options: ConnectOptions): Promise<Connection> => connectBy(servers, options)

/** The same with other servers. */
export async function connectBy(pool: Servers, options: ConnectOptions): Promise<Connection> {
  const given = readOptions(options.options)
  const { patience = defaultPatience } = options
  const server = {
    cwd: options.cwd,
    dataFolder: options.dataFolder,
    config: await configOf(given, options.dataFolder),
    patience,
    started: options.started ?? (() => undefined),
  }
  const lease = await pool.lease(server, options.signal)
  const link = createLink(lease, options)
  try {
    const begun = begin(link, options, given)
    const late = sleep(patience.startMs, null, { ref: false })
    const [events, session] = (await Promise.race([begun, late])) ?? tooSlow(patience.startMs)
    if (options.renew !== undefined && given.context !== 'off')
      await expectRequests(link, session, options.renew)
    return connectionOf(link, createConversation(session), session, given, events)
  } catch (error) {
    await link.end()
    throw error
  }
}

/** The session's own settings, or those of the environment; both with the plugin that changes its history. */
async function configOf({ config, context }: OpenCodeOptions, dataFolder: string): Promise<string | null> {
  const own = config === undefined ? null : JSON.stringify(config)
  if (context === 'off') return own
  const usual = own ?? process.env['OPENCODE_CONFIG_CONTENT'] ?? null
  // On a disk that takes no file nothing can be changed, and OpenCode still works.
  return withPlugin(usual, dataFolder).catch(() => own)
}

/** Until the connection ends. Without an answer, requests use the changes that were written last. */
async function expectRequests(
  { ending, dataFolder, logs }: Link,
  session: string,
  renew: NonNullable<ConnectOptions['renew']>,
): Promise<void> {
  try {
    const expectation = (await openDesk(dataFolder)).expect(session, renew)
    ending.addEventListener('abort', () => expectation[Symbol.dispose](), { once: true })
  } catch (error) {
    logs.add(`OpenCode's requests cannot be trimmed: ${(error as Error).message}\n`)
  }
}

async function begin(link: Link, options: ConnectOptions, given: OpenCodeOptions) {
  const events = await openEvents(link.lease.server, link.ending)
  return [events, await sessionOf(link, options, given)] as const
}

function tooSlow(startMs: number): never {
  const what = `OpenCode did not open a session within ${startMs / 1000} seconds.`
  throw new DragomanError('agent-unavailable', `${what} ${tryIt(programOf(process.env))}`)
}

/** A way to the server that can be closed; everything sent over it is recorded first. */
interface Link {
  readonly lease: Lease
  /** Aborted when the connection ends. */
  readonly ending: AbortSignal
  readonly dataFolder: string
  readonly logs: LogPieces
  send(path: string, body: Json): Promise<Json>
  ask(path: string): Promise<Json>
  end(): Promise<void>
}

function createLink(lease: Lease, { record, signal, dataFolder }: ConnectOptions): Link {
  const controller = new AbortController()
  const end = async () => {
    controller.abort()
    signal.removeEventListener('abort', abort)
    await lease[Symbol.asyncDispose]()
  }
  const abort = () => void end()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  void lease.server.exit.then(() => controller.abort())
  const call = async (method: 'GET' | 'POST', path: string, body: Json | undefined) => {
    await record({ raw: JSON.stringify({ method, path, ...(body === undefined ? {} : { body }) }) })
    return await request(lease.server, method, path, body, controller.signal)
  }
  return {
    lease,
    ending: controller.signal,
    dataFolder,
    logs: lease.server.listen(controller.signal),
    send: (path, body) => call('POST', path, body),
    ask: path => call('GET', path, undefined),
    end,
  }
}

async function sessionOf(
  link: Link,
  { resume, fork: copy }: ConnectOptions,
  given: OpenCodeOptions,
): Promise<string> {
  const { fork, forkBefore, permission } = given
  const made = () => {
    if (resume !== null) return link.ask(`/session/${encodeURIComponent(resume)}`)
    if (copy !== undefined) return copyOf(link, copy)
    if (fork === undefined) return link.send('/session', permission === undefined ? {} : { permission })
    const until = forkBefore === undefined ? {} : { messageID: forkBefore }
    return link.send(`/session/${encodeURIComponent(fork)}/fork`, until)
  }
  const id = textOf(asObject(await made()), 'id')
  if (id === '') throw new DragomanError('agent-unavailable', 'OpenCode did not create a session.')
  return id
}

/** Copies a session up to a message: later messages may exist, so the first of them is requested. */
async function copyOf(link: Link, point: ForkPoint): Promise<Json> {
  const path = `/session/${encodeURIComponent(point.agentSession)}`
  const rest = afterPoint(await link.ask(`${path}/message`), point)
  if (rest === null)
    throw new DragomanError(
      'agent-unavailable',
      'OpenCode no longer has the message that the copy should start from.',
    )
  return link.send(`${path}/fork`, rest)
}

function connectionOf(
  link: Link,
  conversation: Conversation,
  session: string,
  given: OpenCodeOptions,
  events: AsyncIterable<Uint8Array>,
): Connection {
  const { server } = link.lease
  const path = `/session/${encodeURIComponent(session)}`
  return {
    process: server.pid,
    messages: messagesOf(link, conversation, session, events),
    logs: link.logs,
    exit: exitOf(link),
    async prompt(_, parts) {
      await link.send(`${path}/prompt_async`, { ...settingsOf(given), parts: promptParts(parts) })
    },
    refusal: (approval, answer) => refuseInput(answer, conversation.questions.has(approval)),
    answer: (approval, answer) => reply(link, conversation, approval, answer),
    async interrupt() {
      await link.send(`${path}/abort`, {})
    },
    [Symbol.asyncDispose]: () => link.end(),
  }
}

function settingsOf({ model, agent, variant }: OpenCodeOptions): Readonly<Record<string, Json>> {
  const slash = model?.indexOf('/') ?? -1
  return {
    ...(model === undefined
      ? {}
      : { model: { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) } }),
    ...(agent === undefined ? {} : { agent }),
    ...(variant === undefined ? {} : { variant }),
  }
}

/** The connection ends with the server, or before it when others still use it. */
async function exitOf({ lease: { server }, ending }: Link): Promise<Exit> {
  const left = new Promise<null>(resolve => {
    if (ending.aborted) resolve(null)
    ending.addEventListener('abort', () => resolve(null), { once: true })
  })
  const exit = await Promise.race([server.exit, left])
  // The server may be about to end; if it does not, it continues for others.
  const late = exit ?? (await Promise.race([server.exit, sleep(againMs, null, { ref: false })]))
  return late ?? { code: null, signal: null, reason: null }
}

async function reply(
  link: Link,
  { questions }: Conversation,
  approval: string,
  answer: Answer,
): Promise<void> {
  const question = questions.get(approval)
  const { path, body } = question
    ? questionReply(approval, question, answer)
    : permissionReply(approval, answer)
  try {
    await link.send(path, body)
  } catch (error) {
    if (!isDragomanError(error) || error.details['status'] !== 404) throw error
    throw new DragomanError('approval-settled', 'OpenCode no longer waits for this answer.')
  }
}

/**
 * The server's events of our sessions. When the stream breaks, it is opened again, and missed messages are requested.
 */
async function* messagesOf(
  link: Link,
  conversation: Conversation,
  session: string,
  first: AsyncIterable<Uint8Array>,
): AsyncGenerator<AgentLine> {
  let events: AsyncIterable<Uint8Array> | null = first
  while (events !== null) {
    yield* ours(link, events, conversation)
    events = await again(link)
    if (events !== null) yield* missed(link, conversation, session)
  }
}

async function* ours(
  { logs, dataFolder }: Link,
  events: AsyncIterable<Uint8Array>,
  conversation: Conversation,
): AsyncGenerator<AgentLine> {
  const report = (trouble: string) => logs.add(`${trouble}\n`)
  try {
    for await (const raw of readLines(eventLines(events), { dataFolder, report })) {
      const line = withNews(raw)
      if (conversation.isOurs(line)) yield line
    }
  } catch {
    // The stream broke; whether there is another shows when it is requested.
  }
}

async function again(link: Link): Promise<AsyncIterable<Uint8Array> | null> {
  while (!link.ending.aborted) {
    await sleep(againMs, undefined, { ref: false })
    const events = await openEvents(link.lease.server, link.ending).catch(() => null)
    if (events !== null) return events
  }
  return null
}

async function* missed(link: Link, { sessions }: Conversation, session: string): AsyncGenerator<AgentLine> {
  const messages = [...new Set([session, ...sessions])].map(id => `/session/${id}/message`)
  for (const path of messages) yield* replyTo(link, path, ['?limit=50', '?limit=5', '?limit=1'])
  for (const path of ['/permission', '/question', '/session/status']) yield* replyTo(link, path, [''])
}

/** The reply to the first query that gives one: fewer messages are requested when the reply is too long. */
async function* replyTo(link: Link, path: string, queries: readonly string[]): AsyncGenerator<AgentLine> {
  for (const query of queries) {
    try {
      const response = await link.ask(`${path}${query}`)
      return yield { raw: JSON.stringify({ path, response }) }
    } catch (error) {
      link.logs.add(`Couldn't load the events missed while disconnected: ${(error as Error).message}\n`)
    }
  }
}
