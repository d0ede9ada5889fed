import { modelAfter } from '../projections/model-after.ts'
import { userMessage } from '../projections/user-message.ts'
import type { Chunk, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type EventOf } from '../protocol/event.ts'
import { openParts, type OpenParts } from '../protocol/open-parts.ts'
import { approvalAsked, approvalsCopied } from './approval-change.ts'
import type { Change } from './change.ts'
import { changesOfInteraction } from './interaction-change.ts'
import { manipulationChangesOf } from './manipulation-change.ts'
import type { SessionState } from './session-state.ts'
import { branchReported, limitsReported, usageCopied, mayReportUsage, usageReported } from './usage-change.ts'
import { changesWork, workAnswered, workChangesOf } from './work-change.ts'

/** The changes of one entry, given the state of the session before it. */
export function changesOf(before: SessionState, entry: Entry): readonly Change[] {
  const { session, seq, event } = entry
  if (event.type === 'interaction-started')
    return [...changesOfInteraction(entry), ...changesOfStart(entry, event)]
  if (event.type === 'approval-answered' || event.type === 'approval-lapsed') {
    const { approval } = event
    // An answer belongs to the message that asked, even if that has ended.
    const settled = ['approval-settled' as const, 'message-answered' as const].map(type => ({
      type,
      session,
      approval,
      seq,
    }))
    return event.type === 'approval-answered' ? [...settled, workAnswered(before, entry, event)] : settled
  }
  if (event.type === 'validity-changed') {
    const { interaction, parts } = event.target
    const whole = { type: 'validity-set', session, interaction, validity: event.to, seq } as const
    return [
      ...changesOfInteraction(entry),
      ...(parts === undefined ? [whole] : []),
      ...manipulationChangesOf(entry),
    ]
  }
  return [
    ...changesOfChunks(before, entry),
    ...changesOfInteraction(entry),
    ...manipulationChangesOf(entry),
    ...usageCopied(entry),
    ...branchReported(entry),
    ...limitsReported(entry, before.summary.agent),
    ...approvalsCopied(entry),
  ]
}

function changesOfChunks(before: SessionState, entry: Entry): readonly Change[] {
  const chunks = chunksOf(entry.event)
  if (!chunks.some(each => changesMessage(each) || changesWork(each.chunk) || mayReportUsage(each))) return []
  const changes: Change[] = []
  let { open } = before
  let { model } = before.summary
  for (const [index, threadChunk] of chunks.entries()) {
    const now = { ...before, open }
    if (changesMessage(threadChunk)) changes.push(...changesOfChunk(now, entry, threadChunk, index))
    if (changesWork(threadChunk.chunk)) changes.push(...changesOfWork(now, entry, threadChunk, index))
    model = modelAfter(model, threadChunk)
    if (mayReportUsage(threadChunk)) changes.push(...changesOfUse(now, entry, threadChunk, model))
    open = openParts.apply(open, threadChunk)
  }
  return changes
}

function changesOfWork(
  now: SessionState,
  entry: Entry,
  threadChunk: ThreadChunk,
  index: number,
): readonly Change[] {
  const message = messageOf(now.open, threadChunk.thread)
  return message === undefined ? [] : workChangesOf(now, entry, threadChunk, message, index)
}

function changesOfUse(
  now: SessionState,
  entry: Entry,
  threadChunk: ThreadChunk,
  model: string | null,
): readonly Change[] {
  const message = messageOf(now.open, threadChunk.thread)
  return message === undefined
    ? []
    : usageReported(entry, threadChunk, { message, agent: now.summary.agent, model })
}

const messageChunks = new Set(['start', 'finish', 'message-metadata', 'tool-approval-request'])
const changesMessage = ({ chunk }: ThreadChunk) => messageChunks.has(chunk.type)

function changesOfChunk(
  before: SessionState,
  entry: Entry,
  { thread, chunk }: ThreadChunk,
  place: number,
): readonly Change[] {
  const { session, seq } = entry
  if (chunk.type === 'start') return beginningOf(before, entry, thread, chunk)
  const id = messageOf(before.open, thread)
  if (chunk.type === 'tool-approval-request')
    return [approvalAsked(entry, chunk, { thread, message: id, place })]
  if (id === undefined || (chunk.type !== 'finish' && chunk.type !== 'message-metadata')) return []
  const message = { session, id, thread, seq }
  const { messageMetadata: metadata } = chunk
  return [
    ...(metadata === undefined ? [] : [{ type: 'message-described', ...message, metadata } as const]),
    ...(chunk.type === 'finish' ? [{ type: 'message-ended', ...message } as const] : []),
  ]
}

/** An event without an interaction does not begin a message. It closes one that already has a row. */
function beginningOf(
  { summary: { running, agent }, open }: SessionState,
  { session, seq, event }: Entry,
  thread: Thread,
  { messageId: id, messageMetadata: metadata = {} }: Extract<Chunk, { readonly type: 'start' }>,
): readonly Change[] {
  const interaction = 'interaction' in event ? event.interaction : null
  if (interaction === null) return []
  const place = { session, id, thread, interaction, firstSeq: seq, metadata }
  const message = { ...place, role: 'assistant', parent: callerOf(open, thread), agent } as const
  const synthetic = running?.interaction === interaction ? running.trigger !== 'user' : null
  return [{ type: 'message-began', message, synthetic }]
}

const messageOf = (open: OpenParts, thread: Thread) =>
  open.messages.find(message => message.live && message.thread === thread)?.messageId

/** The message with the tool call that a thread is named after. */
function callerOf({ messages }: OpenParts, thread: Thread): string | null {
  const caller = messages.find(
    ({ calls, subagents }) =>
      calls.some(({ toolCallId }) => toolCallId === thread) || subagents.some(({ id }) => id === thread),
  )
  return caller?.messageId ?? null
}

function changesOfStart({ session, seq }: Entry, event: EventOf<'interaction-started'>): readonly Change[] {
  const { interaction, agent, trigger, parent, role = 'user' } = event
  const replaced =
    parent === undefined
      ? []
      : [{ type: 'messages-replaced', session, parent, by: interaction, seq } as const]
  const id = userMessage(event)?.id
  if (id === undefined) return replaced
  const place = { session, id, thread: null, interaction, firstSeq: seq, metadata: {} }
  const message = { ...place, role, parent: parent ?? null, agent } as const
  return [
    ...replaced,
    { type: 'message-began', message, synthetic: trigger !== 'user', chosen: parent !== undefined },
    { type: 'message-ended', session, id, thread: null, seq },
  ]
}
