import type { Answer } from '../../agents/agent.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import { errorMessage } from '../../protocol/error.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../../protocol/event.ts'
import type { ApprovalId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { RunningAgent } from './running-agent.ts'
import { endsWithin } from '../wait.ts'

/** An answer to an approval, by a person, a rule, the server or a timeout. */
export type Answered = EventOf<'approval-answered'>

/**
 * Handles the approvals in entries that were just saved. An answer is delivered to the agent that asked: it reaches the agent because
 * it is saved, and for no other reason. A question is denied when no answer comes in time. Questions and answers that were merged or
 * imported are not the running agent's.
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
      owned.spawn(() => denyLate(owned, running, approval))
    }
  }
}

/** The approvals that an event asks for. */
export const questionsIn = (event: Event): readonly ApprovalId[] =>
  chunksOf(event).flatMap(({ chunk }) =>
    chunk.type === 'tool-approval-request' ? [chunk.approvalId as ApprovalId] : [],
  )

/** Sends an answer to the agent. One that has exited needs no answer: its exit lets the question lapse. */
async function deliver(owned: OwnedSession, answered: Answered): Promise<void> {
  const { approval } = answered
  const running = owned.agent
  const connection = await running?.connected
  await owned.host.checkpoint?.('before-answer')
  try {
    await connection?.answer(approval, answerOf(answered))
  } catch (error) {
    running?.end({ outcome: 'failed', reason: `The agent did not accept the answer: ${errorMessage(error)}` })
  }
  await owned.host.checkpoint?.('after-answer')
}

/** The answer that the agent gets. It is never "always": the rule is kept here, where it can be revoked. */
export const answerOf = ({ approved, reason, input }: Answered): Answer => ({
  approved,
  reason,
  always: false,
  ...(input !== undefined && { input }),
})

/** Denies a question that is not answered in time, so that nothing waits forever. */
async function denyLate(owned: OwnedSession, running: RunningAgent, approval: ApprovalId): Promise<void> {
  const { stopping, limits } = owned.host
  const settled = owned.writer.when(
    ({ summary }) => !summary.pending.some(each => each.approval === approval),
    stopping,
  )
  // When the agent exits, its exit lets the question lapse.
  if (await endsWithin(limits.approvalMs, Promise.race([settled, running.gone]))) return
  const reason = `No answer within ${timeText(limits.approvalMs)}.`
  await answerPending(owned, approval, () => ({
    type: 'approval-answered',
    approval,
    approved: false,
    reason,
    always: false,
    by: 'timeout',
  }))
}

/** Saves an answer that no person gave, if the question is still pending. */
export async function answerPending(
  owned: OwnedSession,
  approval: ApprovalId,
  answer: (state: SessionState) => Answered | undefined,
): Promise<void> {
  await owned.writer.appendUntilSaved(state => {
    const isPending = state.summary.pending.some(each => each.approval === approval)
    const answered = isPending ? answer(state) : undefined
    return answered === undefined ? [] : [answered]
  })
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
