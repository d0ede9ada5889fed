import type { Chunk, Thread, ThreadChunk } from './chunk.ts'
import type { DataParts } from './data-parts.ts'
import { isCut } from './cut-text.ts'
import type { Json } from './json.ts'
import { errorAfter } from './partial-output.ts'
import { ruleOffer, type RuleOffer } from './rule-scope.ts'

/** The open parts of all threads. Its size depends on what is open, not on the length of the history. */
export interface OpenParts {
  readonly messages: readonly OpenMessage[]
}

/** A message with something open in it; `live` from its `start` to its `finish`. */
interface OpenMessage {
  readonly thread: Thread
  readonly messageId: string
  /** The depth of its thread in subagents. */
  readonly depth: number
  readonly live: boolean
  readonly step: boolean
  readonly words: readonly OpenWords[]
  readonly calls: readonly OpenCall[]
  readonly subagents: readonly RunningSubagent[]
}

/** Text or reasoning that is still streaming. */
interface OpenWords {
  readonly type: 'text' | 'reasoning'
  readonly id: string
}

/** A tool call without a result. */
export interface OpenCall {
  readonly toolCallId: string
  readonly toolName: string
  /** What has been streamed of its input; `null` once the whole input is known. */
  readonly streamed: string | null
  /** What "always" would cover with its current input; null while that is unknown. */
  readonly offer: RuleOffer | null
  /** The approvals that were asked for it, answered or not, each with what "always" would cover. */
  readonly asked: readonly AskedOffer[]
  /** Set when its input, or what is shown with it, was too long for memory, so that only a part of it is known. */
  readonly isCut?: true
  /** What it has shown of its output so far. */
  readonly partial?: Json
}

/** An approval that was asked for, and what "always" would cover for it. */
interface AskedOffer {
  readonly approval: string
  readonly offer: RuleOffer | null
}

/** A subagent that has not ended; `id` is the tool call that started it. */
interface RunningSubagent {
  readonly id: string
  readonly data: DataParts['subagent']
}

/** Why open parts are closed by us and not by the agent. */
interface Closing {
  /** A sentence for people; it becomes the error of each call that will have no result. */
  readonly errorText: string
  /** Another sentence for some of the calls, by their id. */
  readonly errorTexts?: ReadonlyMap<string, string>
  readonly reason: 'interrupted' | 'failed'
}

type ChunkOf<Type extends Chunk['type']> = Extract<Chunk, { readonly type: Type }>
type Change<Type extends Chunk['type']> = (message: OpenMessage, chunk: ChunkOf<Type>) => OpenMessage

const changes: { readonly [Type in Chunk['type']]?: Change<Type> } = {
  'start-step': message => ({ ...message, step: true }),
  'finish-step': message => ({ ...message, step: false }),
  'text-start': (message, { id }) => ({ ...message, words: [...message.words, { type: 'text', id }] }),
  'text-end': (message, { id }) => withoutWords(message, 'text', id),
  'reasoning-start': (message, { id }) => ({
    ...message,
    words: [...message.words, { type: 'reasoning', id }],
  }),
  'reasoning-end': (message, { id }) => withoutWords(message, 'reasoning', id),
  'tool-input-start': (message, { toolCallId, toolName }) =>
    withCall(message, { toolCallId, toolName, streamed: '', offer: null, asked: [] }),
  'tool-input-delta': (message, { toolCallId, inputTextDelta }) =>
    changeCall(message, toolCallId, call => ({ ...call, streamed: (call.streamed ?? '') + inputTextDelta })),
  'tool-input-available': (message, chunk) =>
    withCall(message, {
      asked: [],
      ...message.calls.find(call => call.toolCallId === chunk.toolCallId),
      toolCallId: chunk.toolCallId,
      toolName: chunk.toolName,
      streamed: null,
      offer: ruleOffer(chunk),
      ...((isCut(chunk.input) || isCut(chunk.providerMetadata)) && { isCut: true }),
    }),
  'tool-input-error': (message, { toolCallId }) => withoutCall(message, toolCallId),
  'tool-approval-request': (message, { toolCallId, approvalId }) =>
    changeCall(message, toolCallId, call => ({
      ...call,
      asked: [
        ...call.asked.filter(({ approval }) => approval !== approvalId),
        { approval: approvalId, offer: call.offer },
      ],
    })),
  'tool-output-available': (message, { toolCallId, preliminary, output }) =>
    preliminary === true
      ? changeCall(message, toolCallId, call => ({ ...call, partial: output }))
      : withoutCall(message, toolCallId),
  'tool-output-error': (message, { toolCallId }) => withoutCall(message, toolCallId),
  'tool-output-denied': (message, { toolCallId }) => withoutCall(message, toolCallId),
  'data-subagent': (message, { id, data }) => withSubagent(message, id ?? '', data),
  finish: message => ended(message),
}

/** What is known of an approval whose call has not ended. */
export function questionIn(
  { messages }: OpenParts,
  approval: string,
): (AskedOffer & { isCut: boolean }) | null {
  for (const { asked, isCut: cut = false } of messages.flatMap(({ calls }) => calls)) {
    const found = asked.find(each => each.approval === approval)
    if (found !== undefined) return { ...found, isCut: cut }
  }
  return null
}

/** The threads of subagents with an open message, or whose call has not ended. */
export function openThreads({ messages }: OpenParts): readonly string[] {
  const named = messages.flatMap(({ thread, live, calls, subagents }) => [
    ...(live && thread !== null ? [thread] : []),
    ...calls.map(({ toolCallId }) => toolCallId),
    ...subagents.map(({ id }) => id),
  ])
  return [...new Set(named)]
}

const initial: OpenParts = { messages: [] }

/** Follows chunks of all threads and knows what is still open, so that it can be closed for an agent that cannot. */
export const openParts = { initial, apply, closeAll }

function apply(open: OpenParts, { thread, chunk }: ThreadChunk): OpenParts {
  if (chunk.type === 'start') return started(open, thread, chunk.messageId)
  const change = changes[chunk.type] as Change<Chunk['type']> | undefined
  const message = change && open.messages.find(each => each.live && each.thread === thread)
  if (!change || !message) return open
  return replaced(open, message, change(message, chunk))
}

function started(open: OpenParts, thread: Thread, messageId: string): OpenParts {
  const before = open.messages.find(each => each.live && each.thread === thread)
  const rest = before ? replaced(open, before, ended(before)) : open
  const known = rest.messages.find(each => each.thread === thread && each.messageId === messageId)
  if (known) return replaced(rest, known, { ...known, live: true })
  const depth = depthOf(rest, thread)
  const none = { step: false, words: [], calls: [], subagents: [] }
  return { messages: [...rest.messages, { thread, messageId, depth, live: true, ...none }] }
}

function depthOf(open: OpenParts, thread: Thread): number {
  if (thread === null) return 0
  const sibling = open.messages.find(each => each.thread === thread)
  if (sibling) return sibling.depth
  const parent = open.messages.find(
    ({ calls, subagents }) =>
      calls.some(call => call.toolCallId === thread) || subagents.some(({ id }) => id === thread),
  )
  return (parent?.depth ?? 0) + 1
}

function replaced(open: OpenParts, before: OpenMessage, after: OpenMessage): OpenParts {
  if (after === before) return open
  const holds = after.live || after.calls.length > 0 || after.subagents.length > 0
  return {
    messages: holds
      ? open.messages.map(each => (each === before ? after : each))
      : open.messages.filter(each => each !== before),
  }
}

function ended(message: OpenMessage): OpenMessage {
  return { ...message, live: false, step: false, words: [] }
}

function withoutWords(message: OpenMessage, type: OpenWords['type'], id: string): OpenMessage {
  return { ...message, words: message.words.filter(each => each.type !== type || each.id !== id) }
}

function withCall(message: OpenMessage, call: OpenCall): OpenMessage {
  const known = message.calls.some(each => each.toolCallId === call.toolCallId)
  return known
    ? changeCall(message, call.toolCallId, () => call)
    : { ...message, calls: [...message.calls, call] }
}

function changeCall(message: OpenMessage, id: string, change: (call: OpenCall) => OpenCall): OpenMessage {
  return { ...message, calls: message.calls.map(each => (each.toolCallId === id ? change(each) : each)) }
}

function withoutCall(message: OpenMessage, id: string): OpenMessage {
  return { ...message, calls: message.calls.filter(each => each.toolCallId !== id) }
}

function withSubagent(message: OpenMessage, id: string, data: DataParts['subagent']): OpenMessage {
  const others = message.subagents.filter(each => each.id !== id)
  return { ...message, subagents: data.status === 'running' ? [...others, { id, data }] : others }
}

/** The chunks that end everything open, the innermost threads first, and honestly: nothing ends with `stop`. */
function closeAll(open: OpenParts, closing: Closing): readonly ThreadChunk[] {
  return (
    open.messages
      // A message can be re-opened only when no other of its thread is open.
      .toSorted((a, b) => b.depth - a.depth || Number(b.live) - Number(a.live))
      .flatMap(message => closed(message, closing).map(chunk => ({ thread: message.thread, chunk })))
  )
}

function closed(message: OpenMessage, closing: Closing): readonly Chunk[] {
  const status = closing.reason === 'failed' ? 'failed' : 'stopped'
  return [
    ...(message.live ? [] : [{ type: 'start', messageId: message.messageId } as const]),
    ...message.words.map(({ type, id }) => ({ type: `${type}-end`, id }) as const),
    ...message.calls.map(call => failed(call, closing.errorTexts?.get(call.toolCallId) ?? closing.errorText)),
    ...message.subagents.map(
      ({ id, data }) => ({ type: 'data-subagent', id, data: { ...data, status } }) as const,
    ),
    ...(message.step ? [{ type: 'finish-step' } as const] : []),
    ...(message.live ? farewell(closing) : [{ type: 'finish', finishReason: 'other' } as const]),
  ]
}

function failed({ toolCallId, toolName, streamed, partial }: OpenCall, errorText: string): Chunk {
  const call = { toolCallId, dynamic: true, providerExecuted: true }
  return streamed === null
    ? { type: 'tool-output-error', ...call, errorText: errorAfter(partial, errorText) }
    : { type: 'tool-input-error', ...call, toolName, input: streamed, errorText }
}

function farewell({ reason, errorText }: Closing): readonly Chunk[] {
  const messageMetadata = { reason }
  if (reason === 'interrupted') return [{ type: 'finish', finishReason: 'other', messageMetadata }]
  return [
    // The AI SDK's client stops reading at an error, so what it should know comes before.
    { type: 'message-metadata', messageMetadata },
    { type: 'error', errorText },
    { type: 'finish', finishReason: 'error', messageMetadata },
  ]
}
