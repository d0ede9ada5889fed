import { setTimeout as sleep } from 'node:timers/promises'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { AgentLine, Connection, ConnectOptions, Exit, Patience } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { RpcRefusal, speakJsonRpc, type IncomingRequest, type JsonRpc } from '../kit/json-rpc.ts'
import { openLineChannel } from '../kit/line-channel.ts'
import type { Program } from '../kit/readiness.ts'
import { startFailure, tryIt } from '../kit/start-failure.ts'
import { defaultPatience, watchStart, type StartWatch } from '../kit/watch-start.ts'
import { greet, unfit, type Peer } from './handshake.ts'
import { idWord, objectOf, requestOf } from './messages.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import { readSettings, type Settings } from './options.ts'
import { createPersonQuestions, type PersonQuestions } from './person-questions.ts'
import { promptContent } from './prompt-content.ts'
import { readTextFile, writeTextFile } from './serve-files.ts'
import { createTerminals, type Terminals } from './serve-terminals.ts'

/** Connects any agent with ACP, as the session's options say. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  return connectAcp(options, readSettings(options.options))
}

/** What some agents need in addition to the protocol. */
export interface Manner {
  /** Called with each line before it is read; returns lines from another source that belong before it. */
  readonly beside?: (line: AgentLine) => Promise<readonly AgentLine[]>
}

/**
 * Starts an agent and initializes it. The connection is returned at once, so that the first lines are read as they
 * arrive. The first prompt waits until the agent is ready, and fails when it does not get ready.
 */
export function connectAcp(options: ConnectOptions, wanted: Settings, manner: Manner = {}): Connection {
  const settings = options.start ? settingsElsewhere(wanted) : wanted
  const { cwd, dataFolder, signal } = options
  const questions = createPersonQuestions()
  const terminals = createTerminals({ cwd, dataFolder, signal })
  const { command, args, env, inherit } = settings
  const channel = openLineChannel({ ...options, command, args, env, inherit })
  const serve = (request: IncomingRequest) => answerOf(request, options, settings, questions, terminals)
  const watch = watchStart(channel, patienceOf(options, settings))
  const rpc = speakJsonRpc(channel, serve, line => readCancellation(line, questions), watch)
  const reading = createReading(rpc.messages, manner)
  const calledOff = new AbortController()
  const given = { ...options, signal: AbortSignal.any([signal, calledOff.signal]) }
  const ready = prepare(rpc, given, settings, reading, watch)
  // The first prompt reports the failure.
  ready.catch(() => undefined)
  return {
    process: rpc.process,
    // The first prompt reports that the agent never got ready.
    resumed: ready.then(
      ({ session }) => session.resumed,
      () => true,
    ),
    messages: reading.messages,
    logs: rpc.logs,
    exit: exitOf(rpc, ready),
    async prompt(_, parts) {
      const { session, peer } = await ready
      await rpc.begin('session/prompt', { sessionId: session.id, prompt: promptContent(parts, peer.can) })
    },
    refusal: (approval, answer) => questions.refusal(requestOf(approval), answer),
    answer: (approval, answer) => Promise.resolve(questions.answer(requestOf(approval), answer)),
    async interrupt() {
      const { session } = await ready
      await rpc.notify('session/cancel', { sessionId: session.id })
      questions.withdraw()
    },
    async [Symbol.asyncDispose]() {
      if (!reading.isOver()) calledOff.abort()
      await Promise.all([rpc[Symbol.asyncDispose](), terminals[Symbol.asyncDispose]()])
    },
  }
}

/** On another machine, files, commands and installable adapters are on that machine. */
function settingsElsewhere(settings: Settings): Settings {
  const wish = settings.files ? 'files' : settings.terminals ? 'terminals' : null
  if (wish === null) return { ...settings, install: null }
  throw new DragomanError(
    'invalid-input',
    `The option "${wish}" works only for agents on this machine, but ${settings.title} runs on another one.`,
  )
}

const reasonMs = 2_500

/** How the agent ends. When it never got ready, finding the reason may take a moment. */
async function exitOf({ exit: ended }: JsonRpc, ready: Promise<Ready>): Promise<Exit> {
  const exit = await ended
  const failure = ready.then(
    () => null,
    (error: unknown) => (isDragomanError(error) ? { sentence: error.message } : null),
  )
  return { ...exit, ...(await Promise.race([failure, sleep(reasonMs, null, { ref: false })])) }
}

/** Our answer to a request of the agent; undefined for an unknown request. */
function answerOf(
  request: IncomingRequest,
  { cwd, dataFolder }: ConnectOptions,
  settings: Settings,
  questions: PersonQuestions,
  terminals: Terminals,
): Promise<Json> | undefined {
  const { method, cut } = request
  const params = objectOf(request.params)
  if (cut === true && /^(fs|terminal)\//.test(method)) throw new RpcRefusal(invalidParams, requestTooLong)
  if (method === 'fs/read_text_file') return readTextFile({ cwd, dataFolder }, params)
  if (method === 'fs/write_text_file') return writeTextFile({ cwd, dataFolder }, params)
  if (settings.terminals && method.startsWith('terminal/')) return terminals.serve(method, params)
  return questions.take(request)
}

const invalidParams = -32602
/** Truncated content must not be written or run. */
const requestTooLong = 'This request is longer than 4 MiB. Send it in smaller parts.'

/** An agent may cancel its question. */
function readCancellation({ parsed }: AgentLine, questions: PersonQuestions): void {
  const { method, params } = objectOf(parsed)
  if (method !== '$/cancel_request') return
  const { requestId } = objectOf(params)
  if (requestId !== undefined) questions.withdraw(idWord(requestId))
}

interface Ready {
  readonly peer: Peer
  readonly session: OpenedSession
}

/** A session's start timeout also applies to what the program itself waits for. */
function patienceOf({ patience = defaultPatience }: ConnectOptions, { startMs }: Settings): Patience {
  return startMs === null ? patience : { quietMs: startMs, startMs }
}

async function prepare(
  rpc: JsonRpc,
  options: ConnectOptions,
  settings: Settings,
  reading: Reading,
  watch: StartWatch,
): Promise<Ready> {
  const { cwd, resume, signal } = options
  const { startMs } = patienceOf(options, settings)
  let tooLong: AbortSignal | null = null
  try {
    const peer = await greet(rpc, settings, AbortSignal.any([signal, watch.over]))
    tooLong = AbortSignal.timeout(startMs)
    const patience = AbortSignal.any([signal, tooLong])
    const session = await openSession({ rpc, peer, settings, cwd, resume, signal: patience })
    if (session.replays) await reading.quiet(signal)
    return { peer, session }
  } catch (error) {
    if (signal.aborted) throw error
    const program = programIn(settings)
    if (tooLong?.aborted === true)
      throw unfit(
        `${settings.title} did not open a session within ${startMs / 1000} seconds. ${tryIt(program)}`,
      )
    throw await startFailure(program, rpc, watch, error)
  } finally {
    watch[Symbol.dispose]()
  }
}

function programIn({ title, command, env, inherit, install, tested }: Settings): Program {
  const update = install === null ? '' : `Run: ${install}@latest`
  return { title, command, env: agentEnvironment(process.env, inherit, env), tested, install, update }
}

interface Reading {
  /** Whether the agent's output has ended. */
  isOver(): boolean
  readonly messages: AsyncIterable<AgentLine>
  /** Resolves when an old conversation has been replayed, as far as that can be known. */
  quiet(signal: AbortSignal): Promise<void>
}

const silenceMs = 150
const longestTaleMs = 3_000

/** Passes the agent's lines on, and measures how long ago the reader took one. */
function createReading(lines: AsyncIterable<AgentLine>, { beside }: Manner): Reading {
  let taken = 0
  let isOver = false
  async function* messages() {
    for await (const line of lines) {
      if (beside) yield* await beside(line)
      taken += 1
      yield line
    }
    isOver = true
  }
  return {
    isOver: () => isOver,
    messages: messages(),
    async quiet(signal) {
      // Gemini CLI answers first and then replays most of the conversation, without a message at the end.
      for (let waited = 0, before = -1; waited < longestTaleMs && before !== taken; waited += silenceMs) {
        before = taken
        await sleep(silenceMs, undefined, { signal, ref: false })
      }
    },
  }
}
