import type { Chunk, FinishReason, ProviderMetadata, Thread, ThreadChunk } from '../../../protocol/chunk.ts'
import type { DataParts } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import { emptyMap, getIn, setIn, type PersistentMap } from '../persistent-map.ts'

/** The state that keeps an agent's messages well formed. Immutable. */
export interface Parts {
  readonly connection: string
  readonly session: DataParts['session']
  /** Whether a message has shown the session as it is now. */
  readonly sessionShown: boolean
  /** How many messages have begun; they are numbered in that order. */
  readonly messages: number
  readonly threads: PersistentMap<Thread, ThreadState>
  readonly calls: PersistentMap<string, Call>
  /** The call that each approval was asked for. */
  readonly approvals: PersistentMap<string, string>
  /** Running subagents, by the call that started them. */
  readonly running: ReadonlySet<string>
}

/** The state of one thread. */
export interface ThreadState {
  readonly parent: Thread
  readonly depth: number
  readonly message: MessageState | null
  /** The newest finished message; late chunks may still belong to it. */
  readonly last: MessageState | null
  readonly endings: PersistentMap<string, FinishReason>
  /** Chunks for older messages, which wait while a message is open. */
  readonly late: readonly Late[]
  readonly calls: number
  readonly lastWords: string | null
}

/** A chunk for a finished message. The newest chunk of a name replaces the others. */
interface Late {
  readonly message: string
  readonly name: string | null
  readonly chunk: Chunk
}

/** The state of one message. */
export interface MessageState {
  readonly id: string
  /** How many parts a client has so far: the index of the next one. */
  readonly parts: number
  readonly step: number
  readonly inStep: boolean
  /** Pieces and half-streamed calls, oldest first. There are few, and they change with every delta. */
  readonly open: readonly OpenPiece[]
  /** The closed pieces of this message; null for retracted ones. */
  readonly closed: PersistentMap<string, Piece | null>
  /** Which calls have an input and no result. */
  readonly waiting: PersistentMap<string, boolean>
  /** How many calls wait. */
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

/** A part that is being streamed, by its kind and key. */
export type OpenPiece = readonly [name: string, piece: Piece]

/** Facts of a call beside its input. */
export interface CallFacts {
  readonly title?: string
  readonly providerMetadata?: ProviderMetadata
}

/** The state of one tool call. */
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
  /** Its output so far, until the output is complete: an error does not repeat it. */
  readonly partial: Json
  readonly subagent: DataParts['subagent'] | null
}

/** The mutable state while ops are applied: the newest parts, and the chunks so far. */
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

/** The state of a thread; blank for an unknown thread. */
export function threadOf(draft: Draft, thread: Thread): ThreadState {
  return getIn(draft.parts.threads, thread) ?? blank
}

/** Changes the state of a thread. */
export function changeThread(draft: Draft, thread: Thread, change: Partial<ThreadState>): void {
  const next = { ...threadOf(draft, thread), ...change }
  draft.parts = { ...draft.parts, threads: setIn(draft.parts.threads, thread, next) }
}

/** Changes the state of the open message. */
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

/** The state of a call. */
export function callOf(draft: Draft, call: string): Call | undefined {
  return getIn(draft.parts.calls, call)
}

/** Changes the state of a call. */
export function changeCall(draft: Draft, id: string, call: Call): Call {
  draft.parts = { ...draft.parts, calls: setIn(draft.parts.calls, id, call) }
  return call
}

/** Emits a chunk. */
export function emit(draft: Draft, thread: Thread, chunk: Chunk): void {
  draft.chunks.push({ thread, chunk })
}

/** Adds to an open piece of text or thinking; false if it is not open. This is the most frequent change of all. */
export function grow(draft: Draft, thread: Thread, name: string, delta: string): boolean {
  const { message } = threadOf(draft, thread)
  const piece = message?.inStep === true ? openPiece(message, name) : undefined
  if (!message || !piece || piece.kind === 'call') return false
  if (delta === '') return true
  emit(draft, thread, { type: piece.kind === 'text' ? 'text-delta' : 'reasoning-delta', id: piece.id, delta })
  const open = withPiece(message.open, name, { ...piece, text: piece.text + delta })
  changeMessage(draft, thread, message, { open })
  return true
}

/** A part of a message that is being streamed. */
export const openPiece = ({ open }: MessageState, name: string): Piece | undefined =>
  open.find(([other]) => other === name)?.[1]

/** A part of a thread's open message that is being streamed. */
export const openIn = (draft: Draft, thread: Thread, name: string): Piece | undefined => {
  const { message } = threadOf(draft, thread)
  return message === null ? undefined : openPiece(message, name)
}

/** The open pieces with a new or changed one. */
export function withPiece(open: readonly OpenPiece[], name: string, piece: Piece): readonly OpenPiece[] {
  const at = open.findIndex(([other]) => other === name)
  return at < 0 ? [...open, [name, piece]] : open.with(at, [name, piece])
}

/** The open pieces without one. */
export const withoutPiece = (open: readonly OpenPiece[], name: string): readonly OpenPiece[] =>
  open.filter(([other]) => other !== name)

/** A copy of a set, with or without one member. */
export function toggled(set: ReadonlySet<string>, member: string, present: boolean): ReadonlySet<string> {
  if (set.has(member) === present) return set
  const copy = new Set(set)
  if (present) copy.add(member)
  else copy.delete(member)
  return copy
}
