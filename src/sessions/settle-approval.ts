import type { Answer } from '../agents/agent.ts'
import type { SessionState } from '../catalogue/session-state.ts'
import type { EventOf } from '../protocol/event.ts'
import type { ApprovalId } from '../protocol/ids.ts'
import type { LiveSession } from './live-session.ts'
import { sentence } from './sentence.ts'

/** An answer, whoever gave it. */
export type Answered = EventOf<'approval-answered'>

/** Saves the answer to a question that still waits, unless there is none to give, and tells the agent. */
export async function answerUnasked(
  live: LiveSession,
  approval: ApprovalId,
  answer: (state: SessionState) => Answered | undefined,
): Promise<void> {
  let answered: Answered | undefined
  await live.keep(state => {
    const isPending = state.summary.pending.some(each => each.approval === approval)
    answered = isPending ? answer(state) : undefined
    return answered === undefined ? [] : [answered]
  })
  if (answered !== undefined) await deliver(live, answered)
}

/** What the agent is answered. It never learns of "always": the rule is kept here, where it can be revoked. */
export const answerOf = ({ approved, reason, input }: Answered): Answer => ({
  approved,
  reason,
  always: false,
  ...(input !== undefined && { input }),
})

/** Tells the agent. One that is gone by now needs no answer: its exit has let the question lapse, or will. */
export async function deliver(live: LiveSession, answered: Answered): Promise<void> {
  const { approval } = answered
  const running = live.agent
  const connection = await running?.connected
  await live.host.checkpoint('before-answer')
  try {
    await connection?.answer(approval, answerOf(answered))
  } catch (error) {
    running?.end({ outcome: 'failed', reason: `The agent did not accept the answer: ${sentence(error)}` })
  }
  await live.host.checkpoint('after-answer')
}
