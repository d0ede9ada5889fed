import type { Entry } from '../../protocol/entry.ts'
import type { ApprovalId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { questionsIn } from './rules.ts'
import type { RunningAgent } from './running-agent.ts'
import { answerUnasked, deliver } from './settle-approval.ts'
import { endsWithin } from '../wait.ts'

/**
 * Handles the approvals in what was just saved: an answer is delivered to the agent that asked, and a question is denied when
 * no answer comes in time. So an answer reaches the agent because it is saved, and for no other reason. Questions and answers
 * that were merged or imported are not the running agent's.
 */
export function watchQuestions(owned: OwnedSession, entries: readonly Entry[]): void {
  const { agent: running } = owned
  if (running === null) return
  for (const { event } of entries) {
    if (event.type === 'approval-answered' && running.questions.has(event.approval))
      owned.spawn(() => deliver(owned, event))
    if (!('connection' in event) || event.connection !== running.id) continue
    for (const approval of questionsIn(event)) {
      running.questions.add(approval)
      owned.spawn(() => expire(owned, running, approval))
    }
  }
}

/** A question that nobody answers in time is denied, so that nothing waits for ever. */
async function expire(owned: OwnedSession, running: RunningAgent, approval: ApprovalId): Promise<void> {
  const { stopping, limits } = owned.host
  const settled = owned.record.when(
    ({ summary }) => !summary.pending.some(each => each.approval === approval),
    stopping,
  )
  // When the agent is gone, its exit lets the question lapse.
  if (await endsWithin(limits.approvalMs, Promise.race([settled, running.gone]))) return
  const reason = `No answer within ${timeText(limits.approvalMs)}.`
  await answerUnasked(owned, approval, () => ({
    type: 'approval-answered',
    approval,
    approved: false,
    reason,
    always: false,
    by: 'timeout',
  }))
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** A time in the largest unit in which it is a whole number: 24 hours, but 90 minutes. */
function timeText(milliseconds: number): string {
  const [unit, size] = units.find(each => milliseconds >= 2 * each[1] && milliseconds % each[1] === 0) ?? [
    'millisecond',
    1,
  ]
  const count = milliseconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
