import type { Chunk, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import { endsCall, type CallEnd } from './call-end.ts'
import { createFold, type Fold } from './fold.ts'
import { momentOf, type Moment } from './moment.ts'
import { sameJson } from './same-json.ts'
import { createThreadCursor } from './thread-cursor.ts'

/** A tool call and its result: what the work log is made of. */
export interface ToolCall extends ToolCallResult {
  readonly toolCallId: string
  readonly tool: string
  /** What it ran with: a person's changed input rather than the one asked about. Null until known. */
  readonly input: Json
  readonly message: string
  readonly thread: Thread
  readonly interaction: InteractionId | null
  /** The agent that made it, and the folder that the session works in. */
  readonly agent: string | null
  readonly cwd: string | null
  readonly start: Moment
  /** When its input was known; null until then. */
  readonly ready: Moment | null
  readonly end: Moment | null
  /** Whether its end was written for an agent that could not report it any more. */
  readonly closed: boolean
  /** The approval of the call; null when none was requested. */
  readonly approval: CallApproval | null
  /** Milliseconds from the moment it could run (input known, approval given) to its result. */
  readonly duration: number | null
  /** Whether the agent reported a result without a call. */
  readonly unknownCall: boolean
}

/** A question whether a call may run, and its answer. */
export interface CallApproval {
  readonly asked: Moment
  readonly answered: Moment | null
  /** Null until it is answered. */
  readonly approved: boolean | null
}

/** How a tool call ended, or what there is of it so far. */
export interface ToolCallResult {
  readonly outcome: 'pending' | 'success' | 'failure' | 'denied'
  /** What came out, also a preliminary one while pending. */
  readonly output?: Json
  readonly errorText?: string
}

interface Draft {
  facts: Omit<ToolCall, keyof ToolCallResult>
  result: ToolCallResult
  made: ToolCall | null
  /** When it could run, as far as we know. */
  ready: number
}

interface Known {
  readonly cursor: ReturnType<typeof createThreadCursor>
  /** By thread, message and call. */
  readonly calls: Map<string, Draft>
  readonly questions: Map<string, string>
  /** The calls that changed since the last read. */
  readonly news: Set<Draft>
  agent: string | null
  cwd: string | null
}

/** The tool calls of a session, and those of them that changed since this was asked last. */
export interface ToolCallsFold extends Fold<readonly ToolCall[]> {
  news(): readonly ToolCall[]
}

/** Folds entries into the tool calls of a session, in the order in which they began. */
export function createToolCalls(): ToolCallsFold {
  const known: Known = {
    cursor: createThreadCursor(),
    calls: new Map(),
    questions: new Map(),
    news: new Set(),
    agent: null,
    cwd: null,
  }
  const take = (entry: Entry): boolean => {
    const { event } = entry
    if (event.type === 'session-created') known.cwd = event.cwd
    if (settlesAgent.has(event.type) && 'agent' in event) known.agent = event.agent
    if (event.type === 'approval-answered') return answer(known, entry, event)
    let changed = false
    for (const from of chunksOf(event)) if (addChunk(known, entry, from)) changed = true
    return changed
  }
  const fold = createFold(take, () => Array.from(known.calls.values(), make))
  return { ...fold, news: () => newsOf(known) }
}

/** After these a session is with the agent that they name. */
const settlesAgent: ReadonlySet<Event['type']> = new Set([
  'session-created',
  'agent-assigned',
  'interaction-started',
])

function newsOf({ news }: Known): readonly ToolCall[] {
  const made = Array.from(news, make)
  news.clear()
  return made
}

function addChunk(known: Known, entry: Entry, from: ThreadChunk): boolean {
  const message = known.cursor.follow(from)
  if (message === null) return false
  const { thread, chunk } = from
  const keyOf = (toolCallId: string) => `${thread ?? ''} ${message} ${toolCallId}`
  if (chunk.type === 'data-retracted')
    return chunk.data.ids.map(id => forget(known, keyOf(id))).includes(true)
  if (!('toolCallId' in chunk)) return false
  const key = keyOf(chunk.toolCallId)
  const draft = known.calls.get(key) ?? begin(known, entry, message, from)
  if (draft === null) return false
  known.calls.set(key, draft)
  if (chunk.type === 'tool-approval-request') known.questions.set(chunk.approvalId, key)
  const changed = change(draft, entry, chunk)
  if (changed) known.news.add(draft)
  return changed
}

function forget({ calls, news }: Known, key: string): boolean {
  const draft = calls.get(key)
  if (draft !== undefined) news.delete(draft)
  return calls.delete(key)
}

function make(draft: Draft): ToolCall {
  draft.made ??= { ...draft.facts, ...draft.result }
  return draft.made
}

function begin(
  { agent, cwd }: Known,
  entry: Entry,
  message: string,
  { thread, chunk }: ThreadChunk,
): Draft | null {
  if (!('toolName' in chunk)) return null
  const interaction = 'interaction' in entry.event ? entry.event.interaction : null
  const facts: Draft['facts'] = {
    toolCallId: chunk.toolCallId,
    tool: chunk.toolName,
    input: null,
    message,
    thread,
    interaction,
    agent,
    cwd,
    start: momentOf(entry),
    ready: null,
    end: null,
    closed: false,
    approval: null,
    duration: null,
    unknownCall:
      'providerMetadata' in chunk && chunk.providerMetadata?.['dragoman']?.['unknownCall'] === true,
  }
  return { facts, result: { outcome: 'pending' }, made: null, ready: entry.at }
}

function change(draft: Draft, entry: Entry, chunk: Chunk): boolean {
  if (endsCall(chunk)) return end(draft, entry, chunk)
  // Chunks for a call that has ended are repetitions.
  if (draft.facts.end !== null || chunk.type === 'tool-input-delta') return false
  if (chunk.type === 'tool-output-available') draft.result = { outcome: 'pending', output: chunk.output }
  if (chunk.type === 'tool-input-available') {
    draft.facts = { ...draft.facts, tool: chunk.toolName, input: chunk.input, ready: momentOf(entry) }
    draft.ready = entry.at
  }
  if (chunk.type === 'tool-approval-request')
    draft.facts = {
      ...draft.facts,
      approval: { asked: momentOf(entry), answered: null, approved: null },
    }
  draft.made = null
  return true
}

/** A later result takes the place of an earlier one; the same again changes nothing. */
function end(draft: Draft, entry: Entry, chunk: CallEnd): boolean {
  const result = resultOf(chunk, draft.facts.approval?.approved === false)
  if (draft.facts.end !== null && sameJson(result, draft.result)) return false
  const input = chunk.type === 'tool-input-error' ? { input: chunk.input } : {}
  const closed = !('raw' in entry.event)
  draft.facts = { ...draft.facts, ...input, end: momentOf(entry), closed, duration: entry.at - draft.ready }
  draft.result = result
  draft.made = null
  return true
}

function resultOf(chunk: CallEnd, denied: boolean): ToolCallResult {
  if (chunk.type === 'tool-output-denied') return { outcome: 'denied' }
  if (chunk.type === 'tool-output-available')
    return { outcome: denied ? 'denied' : 'success', output: chunk.output }
  return { outcome: denied ? 'denied' : 'failure', errorText: chunk.errorText }
}

function answer(known: Known, entry: Entry, event: EventOf<'approval-answered'>): boolean {
  const key = known.questions.get(event.approval)
  const draft = key === undefined ? undefined : known.calls.get(key)
  known.questions.delete(event.approval)
  if (draft === undefined || draft.facts.end !== null) return false
  draft.ready = entry.at
  const asked = draft.facts.approval?.asked ?? momentOf(entry)
  draft.facts = {
    ...draft.facts,
    ...(event.input !== undefined && { input: event.input }),
    approval: { asked, answered: momentOf(entry), approved: event.approved },
  }
  draft.made = null
  known.news.add(draft)
  return true
}
