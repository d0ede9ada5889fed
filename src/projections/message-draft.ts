import type { MessageMetadata } from '../protocol/chunk.ts'
import type { Message, MessagePart } from '../protocol/message.ts'
import type { PartialJson } from './partial-json.ts'

/** A message as it is kept. It differs from what a client assembles in two ways: it has the answers to approvals, and no retracted parts. */
export interface KeptMessage {
  readonly message: Message
  /** The id under which each part was announced, in the order of the parts; null where there was none. */
  readonly partIds: readonly (string | null)[]
}

/**
 * A message that is being written: every part can be found by its id, so that a chunk costs the same
 * however long the message is. Parts are never changed, only replaced.
 */
export interface MessageDraft {
  id: string
  metadata: MessageMetadata | undefined
  parts: MessagePart[]
  /** The id under which each part was announced; null where there was none. */
  partIds: (string | null)[]
  /** Where the last step begins, or -1 before the first. */
  step: number
  readonly texts: Map<string, number>
  readonly reasonings: Map<string, number>
  readonly calls: Map<string, number>
  readonly data: Map<string, number>
  /** Tool inputs that are still arriving, by call. */
  readonly inputs: Map<string, ArrivingInput>
  /** The finished form, until something changes. */
  finished: Message | null
}

interface ArrivingInput {
  readonly json: PartialJson
  /** Whether the part in the draft lags behind the text. */
  stale: boolean
}

/** An empty message without a name. */
export function createDraft(): MessageDraft {
  return {
    id: '',
    metadata: undefined,
    parts: [],
    partIds: [],
    step: -1,
    texts: new Map(),
    reasonings: new Map(),
    calls: new Map(),
    data: new Map(),
    inputs: new Map(),
    finished: null,
  }
}

/** Forgets everything and begins a message of another name. */
export function restart(draft: MessageDraft, id: string): void {
  Object.assign(draft, createDraft(), { id })
}

/** Adds a part at the end and returns its index. */
export function addPart(draft: MessageDraft, part: MessagePart, id: string | null = null): number {
  draft.finished = null
  draft.partIds.push(id)
  return draft.parts.push(part) - 1
}

/** Puts a part in the place of an earlier state of it. */
export function replacePart(draft: MessageDraft, index: number, part: MessagePart): void {
  draft.finished = null
  draft.parts[index] = part
}

/** The index of the part with an id: text, reasoning or tool call. */
export function findPart(draft: MessageDraft, id: string): number | undefined {
  return draft.texts.get(id) ?? draft.reasonings.get(id) ?? draft.calls.get(id)
}
