import type { Entry } from '../protocol/entry.ts'
import type { ApprovalId } from '../protocol/ids.ts'
import type { LiveSession } from './live-session.ts'
import { questionsIn } from './rules.ts'
import { answerUnasked, deliver } from './settle-approval.ts'
import { endsWithin } from './wait.ts'

/** Sees to the questions that were just saved: the agent gets the answers that were saved with them, and in the end the clock answers. */
export function watchQuestions(live: LiveSession, entries: readonly Entry[]): void {
  for (const { event } of entries) {
    if (event.type === 'approval-answered') live.spawn(() => deliver(live, event))
    for (const approval of questionsIn(event)) live.spawn(() => expire(live, approval))
  }
}

/** A question that nobody answers in time is denied, so that nothing waits for ever. */
async function expire(live: LiveSession, approval: ApprovalId): Promise<void> {
  const { stopping, limits } = live.host
  const settled = live.line.when(
    ({ summary }) => !summary.pending.some(each => each.approval === approval),
    stopping,
  )
  if (await endsWithin(limits.approvalMs, settled)) return
  const reason = `No answer within ${timeText(limits.approvalMs)}.`
  await answerUnasked(live, approval, () => ({
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
