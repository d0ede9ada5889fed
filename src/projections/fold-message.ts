import type { Chunk, DataChunk, MessageMetadata } from '../protocol/chunk.ts'
import type { Message, MessagePart, ToolApproval } from '../protocol/message.ts'
import { isObject, type Json, type JsonObject } from '../protocol/json.ts'
import {
  addInput,
  askApproval,
  denyCall,
  failInput,
  readInputs,
  setError,
  setInput,
  setOutput,
  startInput,
  answerCall,
} from './fold-tools.ts'
import {
  addPart,
  createDraft,
  replacePart,
  restart,
  findPart,
  type MessageDraft,
  type KeptMessage,
} from './message-draft.ts'
import type { FilterRepeats, PausedRepeat, RepeatFilter } from './repeat-filter.ts'
import { reviveDraft } from './revive-draft.ts'

/** A message being assembled from its chunks, as a client would; each chunk costs the same. */
export interface MessageFold {
  push(chunk: Chunk): void
  /** The message so far; parts that did not change since the last call are the same objects. */
  snapshot(): Message
}

/** Begins an assistant message. A `start` with another id begins another message in its place. */
export function createMessageFold(): MessageFold {
  const draft = createDraft()
  return { push: chunk => applyChunk(draft, chunk), snapshot: () => finishDraft(draft) }
}

/** Folds the chunks of one message into it. */
export function foldMessage(chunks: Iterable<Chunk>): Message {
  const fold = createMessageFold()
  for (const chunk of chunks) fold.push(chunk)
  return fold.snapshot()
}

/** Takes one chunk into a draft; a chunk that means nothing there is passed over, never thrown at. */
export function applyChunk(draft: MessageDraft, chunk: Chunk): void {
  if (isData(chunk)) setData(draft, chunk)
  else if (Object.hasOwn(handlers, chunk.type)) (handlers[chunk.type] as Handler)(draft, chunk)
}

/** The current message of a draft. */
export function finishDraft(draft: MessageDraft): Message {
  if (draft.finished !== null) return draft.finished
  if (draft.inputs.size > 0) readInputs(draft)
  const { id, metadata, parts } = draft
  const message: Message = {
    id,
    role: 'assistant',
    ...(metadata !== undefined && { metadata }),
    parts: parts.slice(),
  }
  draft.finished = message
  return message
}

/*
 * Where the AI SDK's v6 and v7 differ on portable chunks, v7 is followed:
 * - `finish-step` forgets open text and reasoning in v6 (their next delta throws); in v7 they stay open.
 * - A broken input of a static tool is `rawInput` in v6 and `input` in v7; our tools are all dynamic, where both agree.
 * - Of `[-`, before the first digit, v6 shows nothing and v7 an empty array.
 * A tool chunk without `dynamic` is not well-formed and taken as dynamic.
 */
type PlainChunk = Exclude<Chunk, DataChunk>
type Handler = (draft: MessageDraft, chunk: PlainChunk) => void
type Handlers = {
  readonly [Type in PlainChunk['type']]: (
    draft: MessageDraft,
    chunk: Extract<PlainChunk, { readonly type: Type }>,
  ) => void
}

const nothing = () => {}
const addAsItIs = (draft: MessageDraft, part: Extract<PlainChunk, { type: 'file' | `source-${string}` }>) => {
  addPart(draft, part)
}

/** A table rather than a switch: the compiler still refuses it when a type is missing. */
const handlers: Handlers = {
  start: (draft, chunk) => {
    if (chunk.messageId !== draft.id) restart(draft, chunk.messageId)
    describe(draft, chunk)
  },
  'start-step': draft => {
    draft.step = addPart(draft, { type: 'step-start' })
  },
  'finish-step': nothing,
  'text-start': startText,
  'text-delta': addText,
  'text-end': endText,
  'reasoning-start': startText,
  'reasoning-delta': addText,
  'reasoning-end': endText,
  'tool-input-start': startInput,
  'tool-input-delta': addInput,
  'tool-input-available': setInput,
  'tool-input-error': failInput,
  'tool-approval-request': askApproval,
  'tool-output-available': setOutput,
  'tool-output-error': setError,
  'tool-output-denied': denyCall,
  'source-url': addAsItIs,
  'source-document': addAsItIs,
  file: addAsItIs,
  'message-metadata': describe,
  error: nothing,
  abort: nothing,
  finish: describe,
}

type Kind = 'text' | 'reasoning'
type TextPart = Extract<MessagePart, { readonly type: Kind }>
type TextChunk<Step extends string> = Extract<Chunk, { readonly type: `${Kind}-${Step}` }>

const kindOf = (chunk: TextChunk<string>): Kind => (chunk.type.startsWith('text') ? 'text' : 'reasoning')

function startText(draft: MessageDraft, chunk: TextChunk<'start'>): void {
  const { id, providerMetadata } = chunk
  const type = kindOf(chunk)
  const part: TextPart = {
    type,
    // On a client, reasoning keeps its id and text does not.
    ...(type === 'reasoning' && { id }),
    text: '',
    ...(providerMetadata !== undefined && { providerMetadata }),
    state: 'streaming',
  }
  draft[`${type}s`].set(id, addPart(draft, part, id))
}

function addText(draft: MessageDraft, chunk: TextChunk<'delta'>): void {
  changeText(draft, chunk, part => ({ ...part, text: part.text + chunk.delta }))
}

function endText(draft: MessageDraft, chunk: TextChunk<'end'>): void {
  changeText(draft, chunk, part => ({ ...part, state: 'done' }))
}

/** Changes an open part of text or reasoning; a chunk for any other part is skipped. */
function changeText(
  draft: MessageDraft,
  chunk: TextChunk<'delta' | 'end'>,
  next: (part: TextPart) => TextPart,
): void {
  const type = kindOf(chunk)
  const index = draft[`${type}s`].get(chunk.id) ?? -1
  const part = draft.parts[index]
  if (part?.type !== type || part.state !== 'streaming') return
  const changed = next(part)
  const { providerMetadata } = chunk
  replacePart(draft, index, providerMetadata === undefined ? changed : { ...changed, providerMetadata })
}

const isData = (chunk: Chunk): chunk is DataChunk => chunk.type.startsWith('data-')

function describe(
  draft: MessageDraft,
  { messageMetadata }: { readonly messageMetadata?: Message['metadata'] },
): void {
  if (messageMetadata === undefined) return
  draft.metadata = mergeMetadata(draft.metadata, messageMetadata)
  draft.finished = null
}

/** The same type and id again replaces the data in place. */
function setData(draft: MessageDraft, chunk: DataChunk): void {
  if (chunk.id === undefined) return void addPart(draft, chunk)
  const key = `${chunk.type} ${chunk.id}`
  const index = draft.data.get(key)
  if (index === undefined) draft.data.set(key, addPart(draft, chunk, chunk.id))
  else replacePart(draft, index, chunk)
}

const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Lays newer facts about a message over older ones: objects are merged at any depth, all else is replaced. */
function mergeMetadata(older: MessageMetadata | undefined, newer: MessageMetadata): MessageMetadata {
  return older === undefined ? newer : mergeObjects(older, newer)
}

function mergeObjects(older: JsonObject, newer: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...older }
  for (const [key, value] of Object.entries(newer)) {
    if (forbidden.has(key) || value === undefined) continue
    const before = older[key]
    merged[key] = isObject(before) && isObject(value) ? mergeObjects(before, value) : value
  }
  return merged
}

/** A kept message that is being written. */
export interface StoredDraft {
  readonly filter: RepeatFilter
  /** Adds a chunk; false when it only repeats what is there. */
  push(chunk: Chunk): boolean
  answer(toolCallId: string, approval: ToolApproval, input?: Json): void
  finish(): KeptMessage
}

/** Begins an assistant message that will be kept, or continues one. */
export function createStoredDraft(
  filterRepeats: FilterRepeats,
  from?: KeptMessage,
  paused?: PausedRepeat,
): StoredDraft {
  const { draft, retracted } = from
    ? reviveDraft(from)
    : { draft: createDraft(), retracted: new Set<number>() }
  const filter = filterRepeats(draft, paused)
  const stays = (_: unknown, index: number) => !retracted.has(index)
  return {
    filter,
    push(chunk) {
      const passed = filter.pass(chunk)
      for (const each of passed) {
        applyChunk(draft, each)
        if (each.type === 'data-retracted')
          for (const id of each.data.ids) retracted.add(findPart(draft, id) ?? -1)
      }
      return passed.length > 0
    },
    answer: (toolCallId, approval, input) => answerCall(draft, toolCallId, approval, input),
    finish() {
      const message = finishDraft(draft)
      const { parts } = message
      return {
        message: retracted.size > 0 ? { ...message, parts: parts.filter(stays) } : message,
        partIds: draft.partIds.filter(stays),
      }
    },
  }
}
