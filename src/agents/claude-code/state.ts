import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { SessionTotals, Todo, Tokens } from '../../protocol/data-parts.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Opening } from '../agent.ts'
import { nothingShown, type Shown } from '../kit/known-fields.ts'
import { addChunks, build, initialParts, type Op, type Parts } from '../kit/parts.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { emptyMap, getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import { noTokens, type Fields } from './messages.ts'

/** The agent's name in the protocol. */
export const agentName = 'claude-code'

/** The state of a connection that the next line needs. Immutable. */
export interface State {
  readonly parts: Parts
  /** Whether a prompt has no result yet. A connection is made for a prompt, so it begins with that. */
  readonly awaiting: boolean
  /** The last prompt that we sent, by the uuid that we gave it. */
  readonly prompt: string | null
  /** Whether Claude Code reported that it started that prompt. */
  readonly taken: boolean
  /** The result of an answer without a prompt, which came while our prompt was waiting. */
  readonly held: Fields | null
  /** The last result, by its uuid or else its content: a repeated result counts once. */
  readonly ended: string | null
  /** The model's current message, per thread. */
  readonly models: PersistentMap<Thread, ModelMessage>
  /** The parts that each native message of this answer gave, by its uuid. */
  readonly seen: PersistentMap<string, SeenMessage>
  /** Background and subagent work by its own id. */
  readonly tasks: PersistentMap<string, Task>
  /** Calls that are known to have started a subagent. */
  readonly helpers: PersistentMap<string, Helper>
  /** Questions of the agent that we have not answered, by request. */
  readonly questions: ReadonlyMap<string, Question>
  /** The plan of each thread that keeps single tasks. */
  readonly plans: PersistentMap<Thread, ReadonlyMap<string, Todo>>
  readonly spending: Spending
  /** Why the model stopped last. */
  readonly stop: string | null
  /** The reported error that will end the answer. */
  readonly trouble: Trouble | null
  /** Whether the main thread gave any text in this answer. */
  readonly spoken: boolean
  /** The unknown fields that were shown. */
  readonly shown: Shown
}

/** One message of the model, with blocks that are streamed, sent whole, or both. */
export interface ModelMessage {
  readonly id: string
  /** The prefix of the keys of its parts. */
  readonly name: string
  /** The message id in its stream, in releases that send it with each event. */
  readonly stream: string | null
  /** Whether its beginning was read: otherwise its id may be missing. */
  readonly begun: boolean
  /** Whether its stream has ended. */
  readonly over: boolean
  /** The streamed blocks, by index. */
  readonly blocks: PersistentMap<number, StreamedBlock>
  /** How many blocks were sent whole. */
  readonly finals: number
}

/** A streamed block. */
export interface StreamedBlock {
  readonly kind: 'text' | 'thinking' | 'call' | 'other'
  /** The key of its part, or its call. */
  readonly key: string
}

/** The parts of a native message, and their thread. */
export interface SeenMessage {
  readonly thread: Thread
  readonly keys: readonly string[]
}

/** Background work. */
export interface Task {
  readonly call: string | null
  readonly isAgent: boolean
  readonly background: boolean
}

/** The known facts of a subagent. */
export interface Helper {
  readonly prompt: string | null
  /** Whether it reports its own end. */
  readonly announced: boolean
  readonly background: boolean
}

/** A question of the agent. */
export interface Question {
  readonly call: string
  readonly tool: string
  readonly input: Json
}

/** The usage of the current answer so far, and of the session at its last result. */
export interface Spending {
  /** The usage in the results of this answer; background work has separate results before the answer's. */
  readonly settled: Amount
  /** The streamed usage since the last result: earlier requests, and the current one. */
  readonly done: Tokens
  readonly request: Tokens
  readonly model: string | null
  /** The session's totals at the last result; null when they are unknown. */
  readonly totals: SessionTotals | null
}

/** Tokens and their cost; null when the cost is unknown. */
export interface Amount {
  readonly tokens: Tokens
  readonly cost: number | null
}

/** The state before any result. */
export const nothing: Amount = { tokens: noTokens, cost: null }

/** An error: a kind for programs, a message for people. */
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
    seen: emptyMap(),
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

/** The mutable part while a line is read: the newest state, and the chunks so far. */
export interface Draft {
  state: State
  readonly chunks: ThreadChunk[]
}

/** Runs operations in a thread. An awaited answer begins with the first operation in it. */
export function act(draft: Draft, ops: readonly Op[], thread: Thread = null): void {
  const { parts, awaiting } = draft.state
  const begins = awaiting && !isSpeaking(parts) && ops.some(op => needsMessage(parts, op, thread))
  if (begins) carryOut(draft, [{ type: 'begin' }], null)
  carryOut(draft, ops, thread)
}

/** Whether an op needs an open message of the main thread: an update of an earlier call goes to that call. */
function needsMessage(parts: Parts, op: Op, thread: Thread): boolean {
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

/** Changes the state. */
export function remember(draft: Draft, change: Partial<State>): void {
  draft.state = { ...draft.state, ...change }
}

/** The model's current message in a thread. */
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

/** Changes the model's current message. */
export function changeModel(draft: Draft, thread: Thread, model: ModelMessage): void {
  remember(draft, { models: setIn(draft.state.models, thread, model) })
}

/** Begins a message of the model. Another message is another request, and so another step. */
export function enterModel(draft: Draft, thread: Thread, id: string): ModelMessage {
  const before = modelOf(draft.state, thread)
  return before.id === id ? before : takeUpModel(draft, thread, { id, name: id, begun: true, over: true })
}

/** Begins a message of the model that differs from the previous one. */
export function takeUpModel(draft: Draft, thread: Thread, known: Partial<ModelMessage>): ModelMessage {
  if (modelOf(draft.state, thread) !== noModel) act(draft, [{ type: 'step-end' }], thread)
  const model = { ...noModel, ...known }
  changeModel(draft, thread, model)
  return model
}

/** The key of a block within the answer. */
export const keyOf = (model: ModelMessage, index: number): string => `${model.name}.${index}`
