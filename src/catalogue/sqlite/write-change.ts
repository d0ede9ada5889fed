import type { Cell, Sql } from '../../journal/sqlite/tables.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { ApprovalChange } from '../approval-change.ts'
import type { Change } from '../change.ts'
import type { InteractionChange } from '../interaction-change.ts'
import type { ManipulationChange } from '../manipulation-change.ts'
import { stateVersion, type SessionState } from '../session-state.ts'
import type { UsageChange } from '../usage-change.ts'
import type { WorkChange } from '../work-change.ts'
import { writeOfApproval } from './write-approval.ts'
import { writeOfInteraction } from './write-interaction.ts'
import { writeOfManipulation } from './write-manipulation.ts'
import { writesOfUsage } from './write-usage.ts'
import { writeOfWork } from './write-work.ts'

export type MessageBegan = Extract<Change, { readonly type: 'message-began' }>

/** The statements that make a change. Repeating them has no further effect. */
export function writesOf(change: Change): readonly Sql[] {
  if (isUsageChange(change)) return writesOfUsage(change)
  if (isWorkChange(change)) return [writeOfWork(change)]
  if (isManipulationChange(change)) return [writeOfManipulation(change)]
  if (isApprovalChange(change)) return [writeOfApproval(change)]
  return [isInteractionChange(change) ? writeOfInteraction(change) : writeOfRest(change)]
}

const isWorkChange = (change: Change): change is WorkChange => change.type.startsWith('work-')
const isManipulationChange = (change: Change): change is ManipulationChange =>
  change.type.startsWith('audit-')
const isUsageChange = (change: Change): change is UsageChange => change.type.startsWith('usage-')
const isApprovalChange = (change: Change): change is ApprovalChange => change.type.startsWith('approval')
const isInteractionChange = (change: Change): change is InteractionChange =>
  change.type.startsWith('interaction-')

function writeOfRest(
  change: Exclude<Change, WorkChange | InteractionChange | ManipulationChange | UsageChange | ApprovalChange>,
): Sql {
  switch (change.type) {
    case 'message-began':
      return [insertMessage, messageCells(change)]
    case 'messages-replaced':
      return [replaceMessages, [change.session, change.parent, change.by, change.seq]]
    case 'message-described':
      return [
        'update message set metadata = json_patch(metadata, ?) where session = ? and id = ? and thread = ?',
        [JSON.stringify(change.metadata), change.session, change.id, threadCell(change.thread)],
      ]
    case 'message-ended':
      return [
        'update message set last_seq = max(coalesce(last_seq, 0), ?) where session = ? and id = ? and thread = ?',
        [change.seq, change.session, change.id, threadCell(change.thread)],
      ]
    case 'validity-set':
      return [
        'update message set validity = ? where session = ? and interaction = ?',
        [change.validity, change.session, change.interaction],
      ]
    case 'message-answered':
      return [lengthenAsking, [change.session, change.approval, change.seq]]
    case 'agent-session-met':
      return [meetAgentSession, [change.agent, change.agentSession, change.session]]
    case 'session-changed':
      return [replaceSession, sessionCells(change.state)]
  }
}

const meetAgentSession = 'insert into agent_session values (?, ?, ?) on conflict do nothing'

/** The main thread is stored as '', because it is part of a key. */
export const threadCell = (thread: Thread) => thread ?? ''

/** Messages that had ended and contain the question are extended to its answer. One message too many only costs reading. */
const lengthenAsking = `
  update message set last_seq = max(last_seq, ?3)
  from (select asked_seq from approval where session = ?1 and id = ?2) as question
  where session = ?1 and last_seq is not null and asked_seq between first_seq and last_seq`

/**
 * A message that is opened again keeps its place; its metadata grows, and its end is open. The newest message of a
 * thread is never a replaced one, because a replacement begins with a message.
 */
const insertMessage = `
  insert into message (session, id, thread, role, parent, synthetic, agent, metadata, interaction, first_seq, validity)
  values (
    ?1, ?2, ?3, ?4,
    case ?11 when 1 then ?5 else coalesce(
      (select id from message where session = ?1 and thread = ?3 and first_seq < ?10 order by first_seq desc limit 1),
      ?5) end,
    coalesce(?6, (select synthetic from message where session = ?1 and interaction = ?9 limit 1), 1),
    ?7, ?8, ?9, ?10, 'active')
  on conflict do update set metadata = json_patch(metadata, excluded.metadata), last_seq = null`

/** A message is replaced once, by the first replacement. */
const replaceMessages = `
  update message set replaced_by = ?3, replaced_seq = ?4
  where session = ?1 and thread = '' and replaced_by is null and first_seq < ?4
    and first_seq > coalesce((select first_seq from message where session = ?1 and thread = '' and id = ?2), 0)`

function messageCells({ message, synthetic, chosen = false }: MessageBegan): readonly Cell[] {
  return [
    message.session,
    message.id,
    threadCell(message.thread),
    message.role,
    message.parent,
    synthetic === null ? null : Number(synthetic),
    message.agent,
    JSON.stringify(message.metadata),
    message.interaction,
    message.firstSeq,
    Number(chosen),
  ]
}

const replaceSession = `
  insert or replace into session_summary values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

function sessionCells(state: SessionState): readonly Cell[] {
  const { tokens, ...summary } = state.summary
  return [
    summary.session,
    summary.seq,
    summary.status,
    summary.agent,
    summary.title,
    summary.cwd,
    Number(summary.archived),
    summary.agentSession,
    summary.cost,
    tokens.input,
    tokens.output,
    tokens.cacheRead,
    tokens.cacheWrite,
    summary.createdAt,
    summary.updatedAt,
    stateVersion,
    // The parts of queued prompts may be large. They are in the journal, so they are not stored again.
    JSON.stringify({ ...state, queue: state.queue.map(each => ({ ...each, parts: [] })) }),
    Number(state.connections.length > 0),
    Number(summary.deleted),
    Number(summary.pinned),
  ]
}
