import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import { isCut } from '../../protocol/cut-text.ts'
import type { Translation } from '../agent.ts'
import { askFor } from './parts/ask.ts'
import { readyCall, settleCall, settleUnread, startCall, streamInput } from './parts/calls.ts'
import { endStep, openMessage, openStep, resumeMessage, show, showSession, visit } from './parts/messages.ts'
import type { Op, WholePart } from './parts/op.ts'
import { retract, retractPiece } from './parts/retract.ts'
import { emit, threadOf, type Draft, type Parts } from './parts/state.ts'
import { closePieces, finishThread, prepareThread, tell } from './parts/subagents.ts'
import { endWords, growWords, say, sealThinking, settleWords } from './parts/words.ts'
import { emptyMap } from './persistent-map.ts'

export type { Op } from './parts/op.ts'
export type { Parts } from './parts/state.ts'

/** The state before an agent's first word on a connection. */
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
 * A thread other than the main one is the work of a subagent and bears the id of the call that started it.
 */
export function build(parts: Parts, ops: readonly Op[], thread: Thread = null): Translation<Parts> {
  const draft: Draft = { parts, chunks: [] }
  if (ops.length > 0) prepareThread(draft, thread)
  for (const op of ops) carryOut(draft, thread, op)
  const counted =
    thread !== null && threadOf(draft, thread).calls !== threadOf({ parts, chunks: [] }, thread).calls
  if (counted) tell(draft, null, thread, {})
  return [draft.parts, draft.chunks]
}

/** Adds to what a line means. One line may mean any number of chunks, so that the list is not copied for each of them. */
export function addChunks(
  { chunks }: { readonly chunks: ThreadChunk[] },
  more: readonly ThreadChunk[],
): void {
  for (const chunk of more) chunks.push(chunk)
}

type Deeds = {
  readonly [Type in Op['type']]: (
    draft: Draft,
    thread: Thread,
    op: Extract<Op, { readonly type: Type }>,
  ) => void
}

const deeds: Deeds = {
  begin: openMessage,
  resume: resumeMessage,
  session: (draft, _, { data }) => introduce(draft, data),
  text: (draft, thread, { key, delta }) => say(draft, thread, 'text', key, delta),
  thinking: (draft, thread, { key, delta }) => say(draft, thread, 'thinking', key, delta),
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
  subagent: (draft, thread, { call, news }) => tell(draft, thread, call, news),
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

function carryOut(draft: Draft, thread: Thread, op: Op): void {
  const deed = deeds[op.type] as (draft: Draft, thread: Thread, op: Op) => void
  deed(draft, thread, op)
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
