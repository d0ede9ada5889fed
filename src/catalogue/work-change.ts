import { endsCall, type CallEnd } from '../projections/call-end.ts'
import { resultOfEnd } from '../projections/work-log/result.ts'
import { subjectOf } from '../projections/work-log/subject.ts'
import type { WorkResult, WorkSubject } from '../projections/work-log/work-facts.ts'
import type { Chunk, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { EventOf } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import type { SessionState } from './session-state.ts'

/** Which tool call of a session. */
export interface WorkPlace {
  readonly session: SessionId
  readonly thread: Thread
  readonly message: string
  readonly call: string
}

/** When and where a tool call began; `index` is its place among the chunks of its entry. */
export interface WorkBeginning extends WorkPlace {
  readonly interaction: string | null
  readonly agent: string
  readonly subject: WorkSubject
  readonly seq: number
  readonly at: number
  readonly index: number
}

/** A change of an entry to tool calls. */
export type WorkChange =
  | ({ readonly type: 'work-began'; readonly ready: boolean } & WorkBeginning)
  | ({
      readonly type: 'work-asked'
      readonly approval: string
      readonly seq: number
      readonly at: number
    } & WorkPlace)
  | {
      readonly type: 'work-answered'
      readonly session: SessionId
      readonly approval: string
      readonly approved: boolean
      /** Set if the answer changed the input. */
      readonly subject: WorkSubject | null
      readonly seq: number
      readonly at: number
    }
  | ({
      readonly type: 'work-ended'
      readonly result: WorkResult
      /** The same for a result that is reported again. */
      readonly mark: string
      /** Set if the end reports the input of the call. */
      readonly subject: WorkSubject | null
      readonly closed: boolean
      readonly seq: number
      readonly at: number
    } & WorkPlace)
  | ({ readonly type: 'work-forgotten'; readonly seq: number } & WorkPlace)

/** Whether a chunk changes a tool call. Streamed pieces of an input or an output do not. */
export function changesWork(chunk: Chunk): boolean {
  return (
    chunk.type === 'tool-input-start' ||
    chunk.type === 'tool-input-available' ||
    chunk.type === 'tool-approval-request' ||
    chunk.type === 'data-retracted' ||
    endsCall(chunk)
  )
}

/** The changes of a chunk about tool calls; `index` is its place in its entry. */
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

/** The change of an answer to the tool call that it is about. */
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

/** A short hash of the end of a call. */
function markOf(chunk: CallEnd): string {
  const output = chunk.type === 'tool-output-available' ? chunk.output : null
  const error = 'errorText' in chunk ? chunk.errorText : null
  const text = JSON.stringify([chunk.type === 'tool-output-denied', output, error])
  let one = 0x81_1c_9d_c5
  let two = 0x9e_37_79_b9
  // Two hashes in one pass: outputs can be long.
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 0x01_00_01_93)
    two = Math.imul(two ^ code, 0x01_00_01_93)
  }
  return `${text.length.toString(36)}.${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
}
