import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { SessionTotals, Todo, Tokens } from '../../protocol/data-parts.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Opening } from '../agent.ts'
import { nothingShown, type Shown } from '../kit/known-fields.ts'
import { addChunks, build, initialParts, type Op, type Parts } from '../kit/parts.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { emptyMap, getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import { noTokens, type Words } from './messages.ts'

/** The agent's name here. */
export const agentName = 'claude-code'

/** All that must be remembered of a connection to understand its next line. Immutable. */
export interface State {
  readonly parts: Parts
  /** Whether something was asked that has no result yet. A connection is made for a prompt, so it begins with that. */
  readonly awaiting: boolean
  /** The prompt that we sent last, by the uuid that we gave it. */
  readonly prompt: string | null
  /** Whether Claude Code has said that it took up that prompt. */
  readonly taken: boolean
  /** The result of an answer that nobody asked for, which came while our prompt was waiting. */
  readonly held: Words | null
  /** The last result, by its uuid or else in its own words: told twice, it counts once. */
  readonly ended: string | null
  /** The model's message in hand, per thread. */
  readonly models: PersistentMap<Thread, ModelMessage>
  /** The pieces that each native message of this answer gave, by its uuid. */
  readonly told: PersistentMap<string, Told>
  /** Background and subagent work by its own id. */
  readonly tasks: PersistentMap<string, Task>
  /** Calls that are known to have started a subagent. */
  readonly helpers: PersistentMap<string, Helper>
  /** Questions of the agent that we have not answered, by request. */
  readonly questions: ReadonlyMap<string, Question>
  /** The plan of each thread that keeps one by single tasks. */
  readonly plans: PersistentMap<Thread, ReadonlyMap<string, Todo>>
  readonly spending: Spending
  /** Why the model stopped last. */
  readonly stop: string | null
  /** What the agent said of an error that will end the answer. */
  readonly trouble: Trouble | null
  /** Whether the main thread said any text in this answer. */
  readonly spoken: boolean
  /** The unknown fields that were shown. */
  readonly shown: Shown
}

/** One message of the model, of which blocks are streamed, told whole, or both. */
export interface ModelMessage {
  readonly id: string
  /** What the keys of its pieces begin with. */
  readonly name: string
  /** The id that its stream bears, in releases that tell it with each event. */
  readonly stream: string | null
  /** Whether it was heard to begin: else its id may be missing. */
  readonly begun: boolean
  /** Whether no more of it is streamed. */
  readonly over: boolean
  /** What was streamed, by index. */
  readonly blocks: PersistentMap<number, StreamedBlock>
  /** How many blocks have been told whole. */
  readonly finals: number
}

/** A block of which something was streamed. */
export interface StreamedBlock {
  readonly kind: 'text' | 'thinking' | 'call' | 'other'
  /** The key of its piece, or its call. */
  readonly key: string
}

/** What a native message gave, and where. */
export interface Told {
  readonly thread: Thread
  readonly keys: readonly string[]
}

/** Work that runs beside the conversation. */
export interface Task {
  readonly call: string | null
  readonly isAgent: boolean
  readonly background: boolean
}

/** A subagent, as far as it is known. */
export interface Helper {
  readonly prompt: string | null
  /** Whether it tells of its own end. */
  readonly announced: boolean
  readonly background: boolean
}

/** What the agent asked about. */
export interface Question {
  readonly call: string
  readonly tool: string
  readonly input: Json
}

/** What the answer in hand took so far, and the session at its last result. */
export interface Spending {
  /** What the results of this answer reported; background work has results of its own before the answer's. */
  readonly settled: Amount
  /** What was streamed since the last result: earlier requests, and the one in hand. */
  readonly done: Tokens
  readonly request: Tokens
  readonly model: string | null
  /** The session's totals at the last result; null when they are unknown. */
  readonly totals: SessionTotals | null
}

/** Tokens, and what they cost; null when that is unknown. */
export interface Amount {
  readonly tokens: Tokens
  readonly cost: number | null
}

/** Before any result. */
export const nothing: Amount = { tokens: noTokens, cost: null }

/** An error: a kind for programs, a sentence for people. */
export interface Trouble {
  readonly kind: string
  readonly message: string
}

/** The state before the first line of a connection. */
export function initial(connection: ConnectionId, opening?: Opening): State {
  return {
    parts: initialParts(agentName, connection),
    awaiting: true,
    prompt: null,
    taken: false,
    held: null,
    ended: null,
    models: emptyMap(),
    told: emptyMap(),
    tasks: emptyMap(),
    helpers: emptyMap(),
    questions: new Map(),
    plans: emptyMap(),
    spending: {
      settled: nothing,
      done: noTokens,
      request: noTokens,
      model: null,
      totals: opening === undefined ? { tokens: noTokens, cost: 0 } : opening.totals,
    },
    stop: null,
    trouble: null,
    spoken: false,
    shown: nothingShown,
  }
}

/** The one thing that changes while a line is understood: the newest state, and the chunks so far. */
export interface Draft {
  state: State
  readonly chunks: ThreadChunk[]
}

/** Does something in a thread. An answer that is awaited begins with the first thing that is said in it. */
export function act(draft: Draft, ops: readonly Op[], thread: Thread = null): void {
  const { parts, awaiting } = draft.state
  const begins = awaiting && !isSpeaking(parts) && ops.some(op => isSaidInMain(parts, op, thread))
  if (begins) carryOut(draft, [{ type: 'begin' }], null)
  carryOut(draft, ops, thread)
}

/** Whether an op needs an open message of the main thread: news of an earlier call goes to where that call is. */
function isSaidInMain(parts: Parts, op: Op, thread: Thread): boolean {
  if (thread !== null) return callIn(parts, thread) === undefined
  if (op.type === 'result' || op.type === 'failure') return callIn(parts, op.call) === undefined
  return !silent.has(op.type)
}

const silent: ReadonlySet<Op['type']> = new Set([
  'session',
  'resume',
  'subagent',
  'retract',
  'end',
  'call-input',
  'step-end',
] as const)

function carryOut(draft: Draft, ops: readonly Op[], thread: Thread): void {
  const [parts, chunks] = build(draft.state.parts, ops, thread)
  draft.state = { ...draft.state, parts }
  addChunks(draft, chunks)
}

/** Changes what is remembered. */
export function remember(draft: Draft, change: Partial<State>): void {
  draft.state = { ...draft.state, ...change }
}

/** The model's message in hand in a thread. */
export function modelOf(state: State, thread: Thread): ModelMessage {
  return getIn(state.models, thread) ?? noModel
}

const noModel: ModelMessage = {
  id: '',
  name: '',
  stream: null,
  begun: false,
  over: false,
  blocks: emptyMap(),
  finals: 0,
}

/** Changes the model's message in hand. */
export function changeModel(draft: Draft, thread: Thread, model: ModelMessage): void {
  remember(draft, { models: setIn(draft.state.models, thread, model) })
}

/** Takes up a message of the model. Another one than before is another request, and so another step. */
export function enterModel(draft: Draft, thread: Thread, id: string): ModelMessage {
  const before = modelOf(draft.state, thread)
  return before.id === id ? before : takeUpModel(draft, thread, { id, name: id, begun: true, over: true })
}

/** Takes up a message of the model that is another one than before. */
export function takeUpModel(draft: Draft, thread: Thread, known: Partial<ModelMessage>): ModelMessage {
  if (modelOf(draft.state, thread) !== noModel) act(draft, [{ type: 'step-end' }], thread)
  const model = { ...noModel, ...known }
  changeModel(draft, thread, model)
  return model
}

/** The key of a block within the answer. */
export const keyOf = (model: ModelMessage, index: number): string => `${model.name}.${index}`
