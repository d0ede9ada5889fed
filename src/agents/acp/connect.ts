import { setTimeout as sleep } from 'node:timers/promises'
import { DragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { Connection, ConnectOptions } from '../agent.ts'
import { speakJsonRpc, type JsonRpc } from '../kit/json-rpc.ts'
import { openLineChannel } from '../kit/line-channel.ts'
import { parseJson } from '../kit/parse-json.ts'
import type { IncomingRequest } from '../kit/rpc-message.ts'
import { greet, unfit, type Peer } from './handshake.ts'
import { idWord, objectOf, requestOf } from './messages.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import { readSettings, type Settings } from './options.ts'
import { createPersonQuestions, type PersonQuestions } from './person-questions.ts'
import { promptContent } from './prompt-content.ts'
import { readTextFile, writeTextFile } from './serve-files.ts'
import { createTerminals, type Terminals } from './serve-terminals.ts'

/** Connects any agent that speaks ACP, as the session's options say. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  return connectAcp(options, readSettings(options.options))
}

/** What some agents need beside the protocol. */
export interface Manner {
  /** Called before a session is picked up. */
  readonly beforeResume?: (session: string, signal: AbortSignal) => Promise<void>
  /** Told of each line before it is read by anyone; gives lines from elsewhere that belong before it. */
  readonly beside?: (raw: Raw) => Promise<readonly Raw[]>
}

/**
 * Starts an agent and greets it. The connection is there at once, so that the first words are heard as they come; the first
 * prompt waits until the agent is ready, and tells when it is not.
 */
export function connectAcp(options: ConnectOptions, given: Settings, manner: Manner = {}): Connection {
  const settings = options.start ? settingsElsewhere(given) : given
  const { cwd, dataFolder, signal } = options
  const questions = createPersonQuestions()
  const terminals = createTerminals({ cwd, dataFolder, signal })
  const { command, args, env, inherit } = settings
  const channel = openLineChannel({ ...options, command, args, env, inherit })
  const serve = (request: IncomingRequest) => answerOf(request, options, settings, questions, terminals)
  const rpc = speakJsonRpc(channel, serve, raw => hearWithdrawal(raw, questions))
  const reading = createReading(rpc.messages, manner)
  const ready = prepare(rpc, options, settings, manner, reading)
  // Whoever prompts hears of it.
  ready.catch(() => undefined)
  return {
    process: rpc.process,
    // Of one that is never ready, the first prompt tells.
    resumed: ready.then(
      ({ session }) => session.resumed,
      () => true,
    ),
    messages: reading.messages,
    logs: rpc.logs,
    exit: rpc.exit,
    async prompt(_, parts) {
      const { session, peer } = await ready
      await rpc.begin('session/prompt', { sessionId: session.id, prompt: promptContent(parts, peer.can) })
    },
    answer: (approval, answer) => Promise.resolve(questions.answer(requestOf(approval), answer)),
    async interrupt() {
      const { session } = await ready
      await rpc.notify('session/cancel', { sessionId: session.id })
      questions.withdraw()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([rpc[Symbol.asyncDispose](), terminals[Symbol.asyncDispose]()])
    },
  }
}

/** Of an agent on another machine: its files and commands are there, and so is what would have to be installed. */
function settingsElsewhere(settings: Settings): Settings {
  const wish = settings.files ? 'files' : settings.terminals ? 'terminals' : null
  if (wish === null) return { ...settings, install: null }
  throw new DragomanError(
    'invalid-input',
    `The option "${wish}" is only for agents on this machine: ${settings.title} works on another one, with what is there.`,
  )
}

/** What we answer to the agent; undefined for a request that we do not know. */
function answerOf(
  request: IncomingRequest,
  { cwd }: ConnectOptions,
  settings: Settings,
  questions: PersonQuestions,
  terminals: Terminals,
): Promise<Json> | undefined {
  const { method } = request
  const params = objectOf(request.params)
  if (method === 'fs/read_text_file') return readTextFile(cwd, params)
  if (method === 'fs/write_text_file') return writeTextFile(cwd, params)
  if (settings.terminals && method.startsWith('terminal/')) return terminals.serve(method, params)
  return questions.take(request)
}

/** An agent may take back its question. */
function hearWithdrawal({ raw }: Raw, questions: PersonQuestions): void {
  if (!raw.includes('$/cancel_request')) return
  const { method, params } = objectOf(parseJson(raw))
  const { requestId } = objectOf(params)
  if (method === '$/cancel_request' && requestId !== undefined) questions.withdraw(idWord(requestId))
}

interface Ready {
  readonly peer: Peer
  readonly session: OpenedSession
}

async function prepare(
  rpc: JsonRpc,
  { cwd, resume, signal }: ConnectOptions,
  settings: Settings,
  manner: Manner,
  reading: Reading,
): Promise<Ready> {
  let tooLong = AbortSignal.timeout(settings.startMs)
  try {
    const peer = await greet(rpc, settings, AbortSignal.any([signal, tooLong]))
    if (resume !== null) await manner.beforeResume?.(resume, signal)
    // What we wait for ourselves is not the agent's delay.
    tooLong = AbortSignal.timeout(settings.startMs)
    const patience = AbortSignal.any([signal, tooLong])
    const session = await openSession({ rpc, peer, settings, cwd, resume, signal: patience })
    if (session.replays) await reading.quiet(signal)
    return { peer, session }
  } catch (error) {
    if (!tooLong.aborted || signal.aborted) throw await withReason(error, rpc, settings)
    throw unfit(`${settings.title} was not ready within ${settings.startMs / 1000} seconds.`)
  }
}

const lastWordsMs = 500

/** An agent that ended has said why in its exit, if anywhere. */
async function withReason(error: unknown, rpc: JsonRpc, { title, install }: Settings): Promise<unknown> {
  const exit = await Promise.race([rpc.exit, sleep(lastWordsMs, null, { ref: false })])
  if (exit === null) return error
  const advice = rpc.process === null && install !== null ? ` To install it, run: ${install}` : ''
  return unfit(`${title} ended before it was ready: ${exit.reason ?? `exit code ${exit.code}`}${advice}`)
}

interface Reading {
  readonly messages: AsyncIterable<Raw>
  /** Resolves when an old conversation has been told to its end, as far as that can be known. */
  quiet(signal: AbortSignal): Promise<void>
}

const silenceMs = 150
const longestTaleMs = 3_000

/** Hands on what the agent says, and knows how long it has been since the reader took something. */
function createReading(lines: AsyncIterable<Raw>, { beside }: Manner): Reading {
  let taken = 0
  async function* messages() {
    for await (const raw of lines) {
      if (beside) yield* await beside(raw)
      taken += 1
      yield raw
    }
  }
  return {
    messages: messages(),
    async quiet(signal) {
      // Gemini CLI answers first and then tells most of it; there is no word for the end.
      for (let waited = 0, before = -1; waited < longestTaleMs && before !== taken; waited += silenceMs) {
        before = taken
        await sleep(silenceMs, undefined, { signal, ref: false })
      }
    },
  }
}
