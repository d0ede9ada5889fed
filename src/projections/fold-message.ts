import type { Chunk, DataChunk } from '../protocol/chunk.ts'
import type { Message } from '../protocol/message.ts'
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
} from './fold-tools.ts'
import { addWords, endWords, startWords } from './fold-words.ts'
import { mergeMetadata } from './merge-metadata.ts'
import { addPart, createDraft, replacePart, restart, type MessageDraft } from './message-draft.ts'

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

/** The message as a draft has it now. */
export function finishDraft(draft: MessageDraft): Message {
  if (draft.finished !== null) return draft.finished
  readInputs(draft)
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
  'text-start': (draft, chunk) => startWords(draft, 'text', chunk),
  'text-delta': (draft, chunk) => addWords(draft, 'text', chunk),
  'text-end': (draft, chunk) => endWords(draft, 'text', chunk),
  'reasoning-start': (draft, chunk) => startWords(draft, 'reasoning', chunk),
  'reasoning-delta': (draft, chunk) => addWords(draft, 'reasoning', chunk),
  'reasoning-end': (draft, chunk) => endWords(draft, 'reasoning', chunk),
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

const isData = (chunk: Chunk): chunk is DataChunk => chunk.type.startsWith('data-')

function describe(
  draft: MessageDraft,
  { messageMetadata }: { readonly messageMetadata?: Message['metadata'] },
): void {
  if (messageMetadata === undefined) return
  draft.metadata = mergeMetadata(draft.metadata, messageMetadata)
  draft.finished = null
}

/** The same type and id again replaces the data where it stands. */
function setData(draft: MessageDraft, chunk: DataChunk): void {
  if (chunk.id === undefined) return void addPart(draft, chunk)
  const key = `${chunk.type} ${chunk.id}`
  const index = draft.data.get(key)
  if (index === undefined) draft.data.set(key, addPart(draft, chunk, chunk.id))
  else replacePart(draft, index, chunk)
}
