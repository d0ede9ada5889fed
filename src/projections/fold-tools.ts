import type { Chunk, ProviderMetadata } from '../protocol/chunk.ts'
import { definedIn, type Json } from '../protocol/json.ts'
import type { ToolApproval, ToolPart } from '../protocol/message.ts'
import { addPart, replacePart, type MessageDraft } from './message-draft.ts'
import { createPartialJson } from './partial-json.ts'

type ChunkOf<Type extends Chunk['type']> = Extract<Chunk, { readonly type: Type }>

/** A tool part of any state, seen as one bag of facts. */
interface ToolFacts extends ToolResult {
  readonly type: 'dynamic-tool'
  readonly toolName: string
  readonly toolCallId: string
  readonly title?: string | undefined
  readonly providerExecuted?: boolean | undefined
  readonly approval?: ToolApproval | undefined
  readonly callProviderMetadata?: ProviderMetadata | undefined
  readonly resultProviderMetadata?: ProviderMetadata | undefined
}

/** The facts that each new state replaces. */
interface ToolResult {
  readonly state: ToolPart['state']
  readonly input: Json | undefined
  readonly rawInput?: Json
  readonly output?: Json
  readonly preliminary?: boolean | undefined
  readonly errorText?: string
}

interface CallChunk {
  readonly toolCallId: string
  readonly toolName?: string | undefined
  readonly title?: string | undefined
  readonly providerExecuted?: boolean | undefined
  readonly providerMetadata?: ProviderMetadata | undefined
}

/** Opens a tool call whose input is still to come. */
export function startInput(draft: MessageDraft, chunk: ChunkOf<'tool-input-start'>): void {
  draft.inputs.set(chunk.toolCallId, { json: createPartialJson(), stale: false })
  putCall(draft, chunk, { state: 'input-streaming', input: undefined })
}

/** Adds more of a tool's input, as text: it is parsed only when the message is read. */
export function addInput(draft: MessageDraft, chunk: ChunkOf<'tool-input-delta'>): void {
  const arriving = draft.inputs.get(chunk.toolCallId)
  if (arriving === undefined) return
  arriving.json.push(chunk.inputTextDelta)
  arriving.stale = true
  draft.finished = null
}

/** Brings the parts of arriving inputs up to what their text means by now. */
export function readInputs(draft: MessageDraft): void {
  for (const toolCallId of draft.inputs.keys()) readInput(draft, toolCallId)
}

function readInput(draft: MessageDraft, toolCallId: string): void {
  const arriving = draft.inputs.get(toolCallId)
  if (arriving?.stale !== true) return
  arriving.stale = false
  const input = arriving.json.value()
  const rawInput = arriving.json.text
  changeCall(draft, { toolCallId }, () => ({ state: 'input-streaming', input, rawInput }))
}

/** Gives a tool call its whole input. */
export function setInput(draft: MessageDraft, chunk: ChunkOf<'tool-input-available'>): void {
  draft.inputs.delete(chunk.toolCallId)
  putCall(draft, chunk, { state: 'input-available', input: chunk.input })
}

/** Ends a tool call whose input was not valid. */
export function failInput(draft: MessageDraft, chunk: ChunkOf<'tool-input-error'>): void {
  const { toolCallId, toolName, providerExecuted, providerMetadata, input, errorText } = chunk
  draft.inputs.delete(toolCallId)
  // A client takes no title from this chunk, and its metadata goes with the result.
  putCall(draft, { toolCallId, toolName, providerExecuted }, { state: 'output-error', input, errorText })
  if (providerMetadata !== undefined)
    editCall(draft, toolCallId, facts => ({ ...facts, resultProviderMetadata: providerMetadata }))
}

/** Marks a tool call as waiting for a person's answer. */
export function askApproval(draft: MessageDraft, chunk: ChunkOf<'tool-approval-request'>): void {
  editCall(draft, chunk.toolCallId, facts => ({
    ...facts,
    state: 'approval-requested',
    approval: { id: chunk.approvalId },
  }))
}

/** Marks a tool call as refused. */
export function denyCall(draft: MessageDraft, chunk: ChunkOf<'tool-output-denied'>): void {
  editCall(draft, chunk.toolCallId, facts => ({ ...facts, state: 'output-denied' }))
}

/** Gives a tool call its output, or what there is of it so far. */
export function setOutput(draft: MessageDraft, chunk: ChunkOf<'tool-output-available'>): void {
  const { output, preliminary } = chunk
  changeCall(draft, chunk, ({ input }) => ({ state: 'output-available', input, output, preliminary }))
}

/** Ends a tool call with an error. */
export function setError(draft: MessageDraft, chunk: ChunkOf<'tool-output-error'>): void {
  const { errorText } = chunk
  changeCall(draft, chunk, ({ input }) => ({ state: 'output-error', input, errorText }))
}

/** Writes a person's answer into the call that was asked about. */
export function answerCall(
  draft: MessageDraft,
  toolCallId: string,
  approval: ToolApproval,
  input?: Json,
): void {
  editCall(draft, toolCallId, facts => ({
    ...facts,
    state: facts.state === 'approval-requested' ? 'approval-responded' : facts.state,
    ...(input !== undefined && { input }),
    approval,
  }))
}

/** Changes the call within the step in which it began; a later step begins another call, as on a client. */
function putCall(draft: MessageDraft, chunk: CallChunk, result: ToolResult): void {
  const { toolCallId } = chunk
  if ((draft.calls.get(toolCallId) ?? -1) > draft.step) return changeCall(draft, chunk, () => result)
  draft.calls.set(toolCallId, addPart(draft, callPart({}, chunk, result) as ToolPart, toolCallId))
}

const changeCall = (draft: MessageDraft, chunk: CallChunk, next: (facts: ToolFacts) => ToolResult): void =>
  editCall(draft, chunk.toolCallId, facts => callPart(facts, chunk, next(facts)))

/** A call in a new state: what a chunk reports replaces what was known. */
const callPart = (known: Partial<ToolFacts>, chunk: CallChunk, result: ToolResult): ToolFacts =>
  definedIn({
    type: 'dynamic-tool',
    toolName: chunk.toolName ?? known.toolName ?? '',
    toolCallId: chunk.toolCallId,
    title: chunk.title ?? known.title,
    providerExecuted: chunk.providerExecuted ?? known.providerExecuted,
    approval: known.approval,
    callProviderMetadata: chunk.providerMetadata ?? known.callProviderMetadata,
    resultProviderMetadata: known.resultProviderMetadata,
    ...result,
  })

function editCall(draft: MessageDraft, toolCallId: string, next: (facts: ToolFacts) => ToolFacts): void {
  readInput(draft, toolCallId)
  const index = draft.calls.get(toolCallId)
  const part = index === undefined ? undefined : draft.parts[index]
  if (index === undefined || part?.type !== 'dynamic-tool') return
  replacePart(draft, index, next(part) as ToolPart)
}
