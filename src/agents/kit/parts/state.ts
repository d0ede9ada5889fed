import type { Chunk, FinishReason, ProviderMetadata, Thread, ThreadChunk } from '../../../protocol/chunk.ts'
import type { DataParts } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import { emptyMap, getIn, setIn, type PersistentMap } from '../persistent-map.ts'

/** All that must be remembered of an agent's words to keep its messages well formed. Immutable. */
export interface Parts {
  readonly connection: string
  readonly session: DataParts['session']
  /** Whether a message has shown the session as it is now. */
  readonly sessionShown: boolean
  /** How many messages were begun; they are numbered in that order. */
  readonly messages: number
  readonly threads: PersistentMap<Thread, ThreadState>
  readonly calls: PersistentMap<string, Call>
  /** The call that each approval was asked for. */
  readonly approvals: PersistentMap<string, string>
  /** Subagents at work, by the call that started them. */
  readonly running: ReadonlySet<string>
}

/** What is remembered of one thread. */
export interface ThreadState {
  readonly parent: Thread
  readonly depth: number
  readonly message: MessageState | null
  /** The newest message that finished: late news finds it here. */
  readonly last: MessageState | null
  readonly endings: PersistentMap<string, FinishReason>
  /** News for older messages, held back while a message is open. */
  readonly late: readonly Late[]
  readonly calls: number
  readonly lastWords: string | null
}

/** A chunk for a message that has finished; the newest of one name counts. */
interface Late {
  readonly message: string
  readonly name: string | null
  readonly chunk: Chunk
}

/** What is remembered of one message. */
export interface MessageState {
  readonly id: string
  /** How many parts a client holds so far: the index of the next one. */
  readonly parts: number
  readonly step: number
  readonly inStep: boolean
  /** Pieces and half-streamed calls, by kind and key. */
  readonly open: ReadonlyMap<string, Piece>
  /** The pieces of this message; null for retracted ones. */
  readonly said: PersistentMap<string, Piece | null>
  /** Which calls have an input and no result. */
  readonly waiting: PersistentMap<string, boolean>
  /** How many of them. */
  readonly waitingCalls: number
  /** Data parts that a later chunk of the same name replaces. */
  readonly data: PersistentMap<string, true>
}

/** A part that is streamed. */
export interface Piece {
  readonly kind: 'text' | 'thinking' | 'call'
  /** The part's id, or the call's. */
  readonly id: string
  readonly index: number
  readonly text: string
}

/** Facts of a call beside its input. */
export interface CallFacts {
  readonly title?: string
  readonly providerMetadata?: ProviderMetadata
}

/** What is remembered of one tool call. */
export interface Call {
  readonly thread: Thread
  readonly message: string
  readonly step: number
  readonly index: number
  readonly tool: string
  readonly state: 'streaming' | 'ready' | 'settled' | 'broken'
  /** Kept only until there is a result. */
  readonly input: Json
  readonly facts: CallFacts
  /** What it has shown of its output, until that is whole: an error does not repeat it. */
  readonly partial: Json
  readonly subagent: DataParts['subagent'] | null
}

/** The one thing that changes while ops are carried out: the newest state, and the chunks so far. */
export interface Draft {
  parts: Parts
  readonly chunks: ThreadChunk[]
}

const blank: ThreadState = {
  parent: null,
  depth: 0,
  message: null,
  last: null,
  endings: emptyMap(),
  late: [],
  calls: 0,
  lastWords: null,
}

/** The memory of a thread; an unknown thread is blank. */
export function threadOf(draft: Draft, thread: Thread): ThreadState {
  return getIn(draft.parts.threads, thread) ?? blank
}

/** Changes what is remembered of a thread. */
export function changeThread(draft: Draft, thread: Thread, change: Partial<ThreadState>): void {
  const next = { ...threadOf(draft, thread), ...change }
  draft.parts = { ...draft.parts, threads: setIn(draft.parts.threads, thread, next) }
}

/** Changes what is remembered of the message in hand. */
export function changeMessage(
  draft: Draft,
  thread: Thread,
  message: MessageState,
  change: Partial<MessageState>,
): MessageState {
  const next = { ...message, ...change }
  changeThread(draft, thread, { message: next })
  return next
}

/** What is remembered of a call. */
export function callOf(draft: Draft, call: string): Call | undefined {
  return getIn(draft.parts.calls, call)
}

/** Changes what is remembered of a call. */
export function changeCall(draft: Draft, id: string, call: Call): Call {
  draft.parts = { ...draft.parts, calls: setIn(draft.parts.calls, id, call) }
  return call
}

/** Says a chunk. */
export function emit(draft: Draft, thread: Thread, chunk: Chunk): void {
  draft.chunks.push({ thread, chunk })
}

/** A copy of a map without one key. */
export function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const copy = new Map(map)
  copy.delete(key)
  return copy
}

/** A copy of a set, with or without one member. */
export function toggled(set: ReadonlySet<string>, member: string, present: boolean): ReadonlySet<string> {
  if (set.has(member) === present) return set
  const copy = new Set(set)
  if (present) copy.add(member)
  else copy.delete(member)
  return copy
}
