import { refuseInput } from '../../protocol/refuse-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Connection, ConnectOptions } from '../agent.ts'
import { asObject, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { speakJsonRpc, type JsonRpc } from '../kit/json-rpc.ts'
import { openLineChannel } from '../kit/line-channel.ts'
import { startFailure, tryIt } from '../kit/start-failure.ts'
import { defaultPatience, watchStart, type StartWatch } from '../kit/watch-start.ts'
import { createConversation, type Conversation } from './conversation.ts'
import { readOptions, type CodexOptions } from './options.ts'
import { inheritedNames, programOf } from './program.ts'
import { userInput } from './user-input.ts'

/** Starts Codex's app-server and starts, resumes or copies a thread. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const given = readOptions(options.options)
  const { patience = defaultPatience } = options
  const [program, inherit] = [programOf(process.env), inheritedNames(process.env)]
  const channel = openLineChannel({ ...options, command: program.command, args: ['app-server'], inherit })
  using watch = watchStart(channel, patience)
  const conversation = createConversation()
  const rpc = speakJsonRpc(channel, conversation.answerer, conversation.update, watch)
  try {
    const ask: Ask = (method, params) => soon(rpc, watch, patience.startMs, method, params)
    conversation.main = await begin(rpc, ask, options, given)
    return connectionOf(rpc, conversation, given)
  } catch (error) {
    throw await startFailure(program, rpc, watch, error)
  }
}

/** Initializes the connection and gets the thread. A copy is made only once; then it has its own id and is resumed. */
async function begin(rpc: JsonRpc, ask: Ask, options: ConnectOptions, given: CodexOptions): Promise<string> {
  await ask('initialize', {
    clientInfo: { name: 'dragoman', title: 'Dragoman', version: '0.1.0' },
    capabilities: { experimentalApi: true, requestAttestation: false },
  })
  await rpc.notify('initialized', {})
  const [method, params] = threadRequest(options, given)
  const result = asObject(await ask(method, params))
  return textOf(objectOf(result, 'thread'), 'id')
}

function threadRequest(options: ConnectOptions, given: CodexOptions): readonly [string, Fields] {
  const { cwd, resume, fork: copy } = options
  const settings = { cwd, ...settingsOf(given) }
  if (resume !== null) return ['thread/resume', { threadId: resume, excludeTurns: true, ...settings }]
  if (copy !== undefined) {
    const { agentSession: threadId, last: lastTurnId } = copy
    return ['thread/fork', { threadId, excludeTurns: true, lastTurnId, ...settings }]
  }
  const { fork, forkBefore, rawEvents = true } = given
  if (fork === undefined) return ['thread/start', { ...settings, experimentalRawEvents: rawEvents }]
  const until = forkBefore === undefined ? {} : { beforeTurnId: forkBefore }
  return ['thread/fork', { threadId: fork, excludeTurns: true, ...until, ...settings }]
}

function settingsOf({ model, approvalPolicy, sandbox, config, developerInstructions }: CodexOptions): Fields {
  const all = { model, approvalPolicy, sandbox, config, developerInstructions }
  const set = Object.entries(all).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as Fields
}

type Ask = (method: string, params: Json) => Promise<Json>

/** Waits for the first response as long as the program shows signs of life, and for each later one for a limited time. */
async function soon(
  rpc: JsonRpc,
  { over }: StartWatch,
  startMs: number,
  method: string,
  params: Json,
): Promise<Json> {
  const limit = AbortSignal.timeout(startMs)
  try {
    return await rpc.request(method, params, AbortSignal.any([over, limit]))
  } catch (error) {
    if (!limit.aborted || over.aborted) throw error
    throw new DragomanError(
      'agent-unavailable',
      `Codex did not answer "${method}" within ${startMs / 1000} seconds. ${tryIt(programOf(process.env))}`,
    )
  }
}

function connectionOf(rpc: JsonRpc, conversation: Conversation, { effort }: CodexOptions): Connection {
  const { main: threadId } = conversation
  let starting: Promise<unknown> = Promise.resolve()
  return {
    process: rpc.process,
    messages: rpc.messages,
    logs: rpc.logs,
    exit: rpc.exit,
    async prompt(id, parts) {
      if (isCompact(parts)) return void (await rpc.request('thread/compact/start', { threadId }))
      const prompt = { threadId, input: userInput(parts), clientUserMessageId: id }
      const expectedTurnId = conversation.turns.get(threadId)
      // A running turn takes the prompt in. If it ends meanwhile, the prompt starts the next turn.
      if (expectedTurnId !== undefined && (await steer(rpc, { ...prompt, expectedTurnId }))) return
      const start = rpc.request('turn/start', { ...prompt, ...(effort === undefined ? {} : { effort }) })
      starting = start.catch(() => undefined)
      await start
    },
    refusal: (approval, answer) => refuseInput(answer, conversation.takesInput(approval)),
    answer(approval, answer) {
      return Promise.resolve().then(() => conversation.answer(approval, answer))
    },
    async interrupt() {
      await starting
      await interruptAll(rpc, conversation)
    },
    [Symbol.asyncDispose]: () => rpc[Symbol.asyncDispose](),
  }
}

/** A command of Codex's terminal. The app-server has a request for it; as a prompt, the model would read it as text. */
const isCompact = ([first, ...rest]: readonly PromptPart[]): boolean =>
  rest.length === 0 && first?.type === 'text' && first.text.trim() === '/compact'

async function steer(rpc: JsonRpc, params: Fields): Promise<boolean> {
  return await rpc.request('turn/steer', params).then(
    () => true,
    () => false,
  )
}

/** Stops all turns, also those of subagents, and then the commands that would continue without them. */
async function interruptAll(rpc: JsonRpc, { turns, main }: Conversation): Promise<void> {
  const working = [...turns]
  const stopped = working.map(([threadId, turnId]) => rpc.request('turn/interrupt', { threadId, turnId }))
  const outcomes = await Promise.allSettled(stopped)
  const threads = new Set([main, ...working.map(([threadId]) => threadId)])
  await Promise.allSettled(
    [...threads].map(threadId => rpc.request('thread/backgroundTerminals/clean', { threadId })),
  )
  const refused = outcomes.find(outcome => outcome.status === 'rejected')
  if (refused && turns.size > 0) throw refused.reason as Error
}
