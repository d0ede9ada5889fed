import type { CallTimes } from '../stores/call-times.ts'
import type { SessionState, ShownMessage } from '../stores/session-state.ts'
import type { Moment } from '../../projections/moment.ts'
import type { ToolCallResult } from '../../projections/tool-calls.ts'
import { resultOf } from '../../projections/work-log/result.ts'
import { subjectOf } from '../../projections/work-log/subject.ts'
import type { WorkPair } from '../../projections/work-log/work-facts.ts'
import type { WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
import type { ToolPart } from '../../protocol/message.ts'

/** A tool call in a message, for the work log; the server may have facts from before this client's entries. */
export function pairOfPart(
  state: SessionState,
  shown: ShownMessage,
  part: ToolPart,
  saved: WorkLogEntry | undefined,
): WorkPair {
  const { toolCallId, toolName: tool, input } = part
  const times = state.view.calls.get(toolCallId) ?? {}
  const start = beginningOf(times) ?? saved?.start ?? null
  const ready = times['tool-input-available'] ?? null
  const end = endOf(part, times)
  const approval = approvalOf(state, part, times)
  const ranFrom = Math.max(...[start, ready, approval?.answered].map(moment => moment?.at ?? 0))
  const { agent, cwd } = whereOf(state, shown)
  return {
    toolCallId,
    message: shown.message.id,
    thread: shown.thread,
    interaction: shown.interaction,
    start,
    ready,
    end,
    // The kept entries are those without agent messages.
    closed: end !== null && state.events.some(({ seq }) => seq === end.seq),
    approval,
    duration: end === null || start === null ? null : end.at - ranFrom,
    subject: subjectOf({ tool, input: input ?? null, agent, cwd }),
    result: resultOf(resultInPart(part)),
  }
}

const beginningOf = (times: CallTimes) =>
  times['tool-input-start'] ?? times['tool-input-available'] ?? times['tool-input-error']

/** How a tool call ended, from its part in a message. */
export function resultInPart(part: ToolPart): ToolCallResult {
  if (part.state === 'output-error') return { outcome: 'failure', errorText: part.errorText }
  if (part.state === 'output-denied') return { outcome: 'denied' }
  if (part.state !== 'output-available' || part.preliminary === true) return { outcome: 'pending' }
  return { outcome: 'success', output: part.output }
}

function endOf(part: ToolPart, times: CallTimes): Moment | null {
  if (resultInPart(part).outcome === 'pending') return null
  const moment =
    part.state === 'output-error'
      ? (times['tool-output-error'] ?? times['tool-input-error'])
      : part.state === 'output-denied'
        ? times['tool-output-denied']
        : times['tool-output-available']
  return moment ?? null
}

function approvalOf({ events }: SessionState, part: ToolPart, times: CallTimes): WorkPair['approval'] {
  const given = 'approval' in part ? part.approval : undefined
  if (given === undefined) return null
  const answer = events.find(
    ({ event }) => event.type === 'approval-answered' && String(event.approval) === given.id,
  )
  return {
    asked: times['tool-approval-request'] ?? null,
    answered: answer === undefined ? null : { seq: answer.seq, at: answer.at },
    approved: given.approved ?? null,
  }
}

/** The agent that was at work, which may be another by now. */
function whereOf({ facts, events }: SessionState, { interaction }: ShownMessage) {
  const begun = events.findLast(
    ({ event }) => event.type === 'interaction-started' && event.interaction === interaction,
  )?.event
  const agent = begun?.type === 'interaction-started' ? begun.agent : (facts?.agent ?? null)
  return { agent, cwd: facts?.cwd ?? null }
}
