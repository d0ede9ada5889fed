import type { Answer } from '../../agents/agent.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { ApprovalId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { sentence } from '../sentence.ts'

/** An answer, whoever gave it. */
export type Answered = EventOf<'approval-answered'>

/** Saves the answer to a question that still waits, unless there is none to give. */
export async function answerUnasked(
  owned: OwnedSession,
  approval: ApprovalId,
  answer: (state: SessionState) => Answered | undefined,
): Promise<void> {
  await owned.appendUntilSaved(state => {
    const isPending = state.summary.pending.some(each => each.approval === approval)
    const answered = isPending ? answer(state) : undefined
    return answered === undefined ? [] : [answered]
  })
}

/** What the agent is answered. It never learns of "always": the rule is kept here, where it can be revoked. */
export const answerOf = ({ approved, reason, input }: Answered): Answer => ({
  approved,
  reason,
  always: false,
  ...(input !== undefined && { input }),
})

/** Tells the agent. One that is gone by now needs no answer: its exit has let the question lapse, or will. */
export async function deliver(owned: OwnedSession, answered: Answered): Promise<void> {
  const { approval } = answered
  const running = owned.agent
  const connection = await running?.connected
  await owned.host.checkpoint('before-answer')
  try {
    await connection?.answer(approval, answerOf(answered))
  } catch (error) {
    running?.end({ outcome: 'failed', reason: `The agent did not accept the answer: ${sentence(error)}` })
  }
  await owned.host.checkpoint('after-answer')
}
