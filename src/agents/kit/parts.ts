import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import { isCut } from '../../protocol/cut-text.ts'
import type { Translation } from '../agent.ts'
import type { Fields } from './fields.ts'
import { showStrange, strangeIn, type Kinds, type Shown } from './known-fields.ts'
import { askFor } from './parts/ask.ts'
import { readyCall, settleCall, settleUnread, startCall, streamInput } from './parts/calls.ts'
import { endStep, openMessage, openStep, resumeMessage, show, showSession, visit } from './parts/messages.ts'
import type { Op, WholePart } from './parts/op.ts'
import { retract, retractPiece } from './parts/retract.ts'
import { isSpeaking } from './parts/look.ts'
import { emit, grow, threadOf, type Draft, type Parts } from './parts/state.ts'
import { closePieces, finishThread, prepareThread, showSubagent } from './parts/subagents.ts'
import { endWords, growWords, addText, sealThinking, settleWords } from './parts/words.ts'
import { emptyMap, getIn } from './persistent-map.ts'

export { notice, type Op } from './parts/op.ts'
export type { Parts } from './parts/state.ts'

/** The state before the first line of a connection. */
export function initialParts(agent: string, connection: string): Parts {
  return {
    connection,
    session: { agent, agentSession: null, model: null, cwd: null },
    sessionShown: true,
    messages: 0,
    threads: emptyMap(),
    calls: emptyMap(),
    approvals: emptyMap(),
    running: new Set(),
  }
}

/**
 * Turns what an agent did in a thread into chunks that keep the rules of the stream, whatever it did and in whatever order.
 * Any thread but the main one belongs to a subagent and has the id of the call that started it.
 */
export function build(parts: Parts, ops: readonly Op[], thread: Thread = null): Translation<Parts> {
  const draft: Draft = { parts, chunks: [] }
  if (thread !== null && ops.length > 0) prepareThread(draft, thread)
  for (const op of ops) act(draft, thread, op)
  const counted =
    thread !== null && threadOf(draft, thread).calls !== threadOf({ parts, chunks: [] }, thread).calls
  if (counted) showSubagent(draft, null, thread, {})
  return [draft.parts, draft.chunks]
}

function act(draft: Draft, thread: Thread, op: Op): void {
  // Most ops add text to an open piece, and nothing else changes.
  if ((op.type === 'text' || op.type === 'thinking') && grow(draft, thread, `${op.type} ${op.key}`, op.delta))
    return
  const action = actions[op.type] as (draft: Draft, thread: Thread, op: Op) => void
  action(draft, thread, op)
}

/** Adds chunks to a list in place. One line may give many, so the list is not copied for each of them. */
export function addChunks(
  { chunks }: { readonly chunks: ThreadChunk[] },
  more: readonly ThreadChunk[],
): void {
  for (const chunk of more) chunks.push(chunk)
}

/** What every translator that uses `apply` and `remark` keeps in its state. */
export interface BuilderState {
  readonly parts: Parts
  /** The unknown fields that were shown. */
  readonly shown: Shown
}

const begin: Op = { type: 'begin' }

/** Begins an answer in the main thread. */
export function beginAnswer<State extends BuilderState>(state: State): Translation<State> {
  const [parts, chunks] = build(state.parts, [begin])
  return [{ ...state, parts }, chunks]
}

/** Applies ops in a thread. If no answer is running there, a message that they begin is also finished. */
export function apply<State extends BuilderState>(
  state: State,
  { thread, running }: { readonly thread: Thread; readonly running: boolean },
  ops: readonly Op[],
): Translation<State> {
  const [parts, chunks] = build(state.parts, ops, thread)
  if (running || isSpeaking(state.parts, thread) || !isSpeaking(parts, thread))
    return [{ ...state, parts }, chunks]
  const [closed, last] = build(parts, [alone], thread)
  return [{ ...state, parts: closed }, [...chunks, ...last]]
}

const alone: Op = { type: 'finish', reason: 'finished', finishReason: 'other' }

/**
 * Shows something beside the conversation, in the current answer or the last one. Before the first answer, it begins one:
 * the connection was opened for a prompt, and the agent may die without any other output.
 */
export function remark<State extends BuilderState>(
  state: State,
  at: Thread,
  ops: readonly Op[],
): Translation<State> {
  const thread = getIn(state.parts.threads, at) ? at : null
  const isFirst = !getIn(state.parts.threads, thread)
  const [parts, chunks] = build(state.parts, isFirst ? [begin, ...ops] : ops, thread)
  return [{ ...state, parts }, chunks]
}

/** Adds a remark about the unknown fields of a message, if it has any. */
export function withStrange<State extends BuilderState>(
  translation: Translation<State>,
  kinds: Kinds,
  message: Fields,
): Translation<State> {
  const strange = strangeIn(kinds, message)
  if (strange.length === 0) return translation
  const [before, chunks] = translation
  const { ops, shown } = showStrange(before.parts.session.agent, before.shown, strange)
  if (ops.length === 0) return [{ ...before, shown }, chunks]
  const [state, more] = remark({ ...before, shown }, null, ops)
  return [state, [...chunks, ...more]]
}

/** Runs translations one after the other, each with the state of the one before. */
export function inOrder<State>(
  first: Translation<State>,
  ...rest: readonly ((state: State) => Translation<State>)[]
): Translation<State> {
  let [state] = first
  const draft = { chunks: [...first[1]] }
  for (const work of rest) {
    const [next, more] = work(state)
    state = next
    addChunks(draft, more)
  }
  return [state, draft.chunks]
}

type Actions = {
  readonly [Type in Op['type']]: (
    draft: Draft,
    thread: Thread,
    op: Extract<Op, { readonly type: Type }>,
  ) => void
}

const actions: Actions = {
  begin: openMessage,
  resume: resumeMessage,
  session: (draft, _, { data }) => introduce(draft, data),
  text: (draft, thread, { key, delta }) => addText(draft, thread, 'text', key, delta),
  thinking: (draft, thread, { key, delta }) => addText(draft, thread, 'thinking', key, delta),
  end: (draft, thread, { key, providerMetadata }) => {
    endWords(draft, thread, `text ${key}`, providerMetadata)
    endWords(draft, thread, `thinking ${key}`, providerMetadata)
  },
  sealed: (draft, thread, { key, providerMetadata }) => sealThinking(draft, thread, key, providerMetadata),
  final: (draft, thread, op) => settleWords(draft, thread, op, name => retractPiece(draft, thread, name)),
  'so-far': (draft, thread, op) => growWords(draft, thread, op, name => retractPiece(draft, thread, name)),
  call: startCall,
  'call-input': streamInput,
  'call-ready': readyCall,
  result: settleCall,
  failure: settleCall,
  ask: askFor,
  subagent: (draft, thread, { call, news }) => showSubagent(draft, thread, call, news),
  retract: (draft, thread, { keys }) => retract(draft, thread, keys),
  show: (draft, thread, { chunk }) => place(draft, thread, chunk),
  unread: (draft, thread, { chunk, beginning }) => {
    place(draft, thread, chunk)
    settleUnread(draft, thread, beginning)
  },
  'step-end': (draft, thread) => {
    closePieces(draft, thread)
    endStep(draft, thread)
  },
  finish: finishThread,
}

function introduce(draft: Draft, data: Partial<Parts['session']>): void {
  const before = draft.parts.session
  if (Object.entries(data).every(([name, value]) => before[name as keyof typeof before] === value)) return
  const session = { ...before, ...data }
  draft.parts = { ...draft.parts, session, sessionShown: false }
  if (!threadOf(draft, null).message) return
  const { agent, agentSession, model } = session
  emit(draft, null, { type: 'message-metadata', messageMetadata: { agent, agentSession, model } })
  showSession(draft)
}

function place(draft: Draft, thread: Thread, chunk: WholePart): void {
  // Data describes an answer, so it does not open one; a file or a source is content.
  if (chunk.type.startsWith('data-')) return visit(draft, thread, () => void show(draft, thread, chunk))
  openStep(draft, thread)
  show(draft, thread, chunk.type === 'file' && isCut(chunk.url) ? tooLarge : chunk)
}

const tooLarge: WholePart = {
  type: 'data-notice',
  data: {
    level: 'warning',
    code: 'file-too-large',
    message: 'The agent sent a file that is too large to show. The complete message is saved.',
  },
}
