import type { Chunk, ProviderMetadata } from '../protocol/chunk.ts'
import type { Json } from '../protocol/json.ts'
import type { ToolApproval, ToolPart } from '../protocol/message.ts'
import { addPart, replacePart, type MessageDraft } from './message-draft.ts'
import { createPartialJson } from './partial-json.ts'

type ChunkOf<Type extends Chunk['type']> = Extract<Chunk, { readonly type: Type }>

/** A tool part of any state, seen as one bag of facts. */
interface ToolFacts extends ToolResult {
  readonly type: 'dynamic-tool'
  readonly toolName: string
  readonly toolCallId: string
  readonly title?: string
  readonly providerExecuted?: boolean
  readonly approval?: ToolApproval
  readonly callProviderMetadata?: ProviderMetadata
  readonly resultProviderMetadata?: ProviderMetadata
}

/** The facts that each new state sets anew. */
interface ToolResult {
  readonly state: ToolPart['state']
  readonly input: Json | undefined
  readonly rawInput?: Json
  readonly output?: Json
  readonly preliminary?: boolean
  readonly errorText?: string
}

interface CallChunk {
  readonly toolCallId: string
  readonly toolName: string
  readonly title?: string
  readonly providerExecuted?: boolean
  readonly providerMetadata?: ProviderMetadata
}

/** Opens a tool call whose input is still to come. */
export function startInput(draft: MessageDraft, chunk: ChunkOf<'tool-input-start'>): void {
  draft.inputs.set(chunk.toolCallId, { json: createPartialJson(), stale: false })
  putCall(draft, chunk, { state: 'input-streaming', input: undefined })
}

/** Takes in more of a tool's input, as text: nothing is parsed until someone looks. */
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
  changeCall(draft, toolCallId, () => ({ state: 'input-streaming', input, rawInput: arriving.json.text }))
}

/** Gives a tool call its whole input. */
export function setInput(draft: MessageDraft, chunk: ChunkOf<'tool-input-available'>): void {
  draft.inputs.delete(chunk.toolCallId)
  putCall(draft, chunk, { state: 'input-available', input: chunk.input })
}

/** Ends a tool call whose input was no good. */
export function failInput(draft: MessageDraft, chunk: ChunkOf<'tool-input-error'>): void {
  const { toolCallId, toolName, providerExecuted, providerMetadata, input, errorText } = chunk
  draft.inputs.delete(toolCallId)
  // A client takes no title from this chunk, and what it says goes with the result.
  const call = { toolCallId, toolName, ...(providerExecuted !== undefined && { providerExecuted }) }
  putCall(draft, call, { state: 'output-error', input, errorText })
  if (providerMetadata === undefined) return
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
  changeCall(
    draft,
    chunk.toolCallId,
    ({ input }) => ({
      state: 'output-available',
      input,
      output,
      ...(preliminary !== undefined && { preliminary }),
    }),
    chunk,
  )
}

/** Ends a tool call with an error. */
export function setError(draft: MessageDraft, chunk: ChunkOf<'tool-output-error'>): void {
  const { errorText } = chunk
  changeCall(draft, chunk.toolCallId, ({ input }) => ({ state: 'output-error', input, errorText }), chunk)
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

/** Changes the call within the step in which it began; a later step begins a call of its own, as on a client. */
function putCall(draft: MessageDraft, chunk: CallChunk, result: ToolResult): void {
  const index = draft.calls.get(chunk.toolCallId)
  if (index !== undefined && index > draft.step)
    return changeCall(draft, chunk.toolCallId, () => result, chunk)
  const { toolCallId, toolName } = chunk
  const part = withFacts({ type: 'dynamic-tool', toolName, toolCallId, ...result }, chunk)
  draft.calls.set(toolCallId, addPart(draft, part as ToolPart, toolCallId))
}

function changeCall(
  draft: MessageDraft,
  toolCallId: string,
  next: (facts: ToolFacts) => ToolResult,
  chunk: Partial<CallChunk> = {},
): void {
  editCall(draft, toolCallId, facts => {
    const { title, providerExecuted, approval, callProviderMetadata, resultProviderMetadata } = facts
    const toolName = chunk.toolName ?? facts.toolName
    const kept: ToolFacts = {
      type: 'dynamic-tool',
      toolName,
      toolCallId,
      ...(title !== undefined && { title }),
      ...(providerExecuted !== undefined && { providerExecuted }),
      ...(approval !== undefined && { approval }),
      ...(callProviderMetadata !== undefined && { callProviderMetadata }),
      ...(resultProviderMetadata !== undefined && { resultProviderMetadata }),
      ...next(facts),
    }
    return withFacts(kept, chunk)
  })
}

function withFacts(facts: ToolFacts, chunk: Partial<CallChunk>): ToolFacts {
  const { title, providerExecuted, providerMetadata } = chunk
  return {
    ...facts,
    ...(title !== undefined && { title }),
    ...(providerExecuted !== undefined && { providerExecuted }),
    ...(providerMetadata !== undefined && { callProviderMetadata: providerMetadata }),
  }
}

function editCall(draft: MessageDraft, toolCallId: string, next: (facts: ToolFacts) => ToolFacts): void {
  readInput(draft, toolCallId)
  const index = draft.calls.get(toolCallId)
  const part = index === undefined ? undefined : draft.parts[index]
  if (index === undefined || part?.type !== 'dynamic-tool') return
  replacePart(draft, index, next(part) as ToolPart)
}
