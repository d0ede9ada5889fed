import { endsCall, type CallEnd } from '../projections/call-end.ts'
import { resultOfEnd } from '../projections/work-log/result.ts'
import { subjectOf } from '../projections/work-log/subject.ts'
import type { Chunk, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { EventOf } from '../protocol/event.ts'
import type { Json } from '../protocol/json.ts'
import { markOf } from './mark-of.ts'
import type { SessionState } from './session-state.ts'
import type { WorkChange, WorkPlace } from './work-change.ts'

/** The chunks that change a tool call; what is streamed of an input or an output does not. */
export function tellsOfWork(chunk: Chunk): boolean {
  return (
    chunk.type === 'tool-input-start' ||
    chunk.type === 'tool-input-available' ||
    chunk.type === 'tool-approval-request' ||
    chunk.type === 'data-retracted' ||
    endsCall(chunk)
  )
}

/** What a chunk of a message changes in the table of tool calls; `index` is its place in its entry. */
export function workChangesOf(
  state: SessionState,
  entry: Entry,
  { thread, chunk }: ThreadChunk,
  message: string,
  index: number,
): readonly WorkChange[] {
  const { session, seq, at } = entry
  const placeOf = (call: string): WorkPlace => ({ session, thread, message, call })
  if (chunk.type === 'data-retracted')
    return chunk.data.ids.map(id => ({ type: 'work-forgotten', ...placeOf(id), seq }) as const)
  if (!('toolCallId' in chunk)) return []
  const place = placeOf(chunk.toolCallId)
  if (chunk.type === 'tool-approval-request')
    return [{ type: 'work-asked', ...place, approval: chunk.approvalId, seq, at }]
  return [
    ...('toolName' in chunk ? [beginningOf(state, entry, place, chunk, index)] : []),
    ...(endsCall(chunk) ? [endOf(state, entry, place, chunk)] : []),
  ]
}

function beginningOf(
  state: SessionState,
  { event, seq, at }: Entry,
  place: WorkPlace,
  chunk: Extract<Chunk, { readonly toolName: string }>,
  index: number,
): WorkChange {
  const isReady = chunk.type === 'tool-input-available'
  return {
    type: 'work-began',
    ...place,
    ready: isReady,
    interaction: 'interaction' in event ? event.interaction : null,
    agent: state.summary.agent,
    subject: subjectIn(state, chunk.toolName, isReady ? chunk.input : null),
    seq,
    at,
    index,
  }
}

function endOf(state: SessionState, { event, seq, at }: Entry, place: WorkPlace, chunk: CallEnd): WorkChange {
  const isBad = chunk.type === 'tool-input-error'
  return {
    type: 'work-ended',
    ...place,
    result: resultOfEnd(chunk),
    mark: markOf(chunk),
    subject: isBad ? subjectIn(state, chunk.toolName, chunk.input) : null,
    closed: !('raw' in event),
    seq,
    at,
  }
}

const subjectIn = ({ summary: { agent, cwd } }: SessionState, tool: string, input: Json) =>
  subjectOf({ tool, input, agent, cwd })

/** What an answer changes in the call that was asked about. */
export function workAnswered(
  state: SessionState,
  { session, seq, at }: Entry,
  { approval, approved, input }: EventOf<'approval-answered'>,
): WorkChange {
  const call = state.open.messages
    .flatMap(({ calls }) => calls)
    .find(({ asked }) => asked.some(each => each.approval === approval))
  const subject = call && input !== undefined ? subjectIn(state, call.toolName, input) : null
  return { type: 'work-answered', session, approval, approved, subject, seq, at }
}
