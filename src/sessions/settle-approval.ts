import type { Answer } from '../agents/agent.ts'
import type { SessionState } from '../catalogue/session-state.ts'
import type { PendingApproval } from '../projections/status.ts'
import type { EventOf } from '../protocol/event.ts'
import type { ApprovalId } from '../protocol/ids.ts'
import type { LiveSession } from './live-session.ts'
import { sentence } from './sentence.ts'

/** An answer, whoever gave it. */
export type Answered = EventOf<'approval-answered'>

/** What is answered without a person, and who did it. */
type Unasked = Pick<Answered, 'approved' | 'reason' | 'by' | 'rule'>

/** Saves the answer to a question that still waits, unless there is none to give, and tells the agent. */
export async function answerUnasked(
  live: LiveSession,
  approval: ApprovalId,
  answer: (state: SessionState, pending: PendingApproval) => Unasked | undefined,
): Promise<void> {
  let answered: Answered | undefined
  await live.keep(state => {
    const pending = state.summary.pending.find(each => each.approval === approval)
    const given = pending && answer(state, pending)
    answered = given && { type: 'approval-answered', approval, always: false, ...given }
    return answered === undefined ? [] : [answered]
  })
  if (answered !== undefined) await deliver(live, answered)
}

/** Tells the agent. One that is gone by now needs no answer: its exit has let the question lapse, or will. */
export async function deliver(live: LiveSession, answered: Answered): Promise<void> {
  const { approval, approved, reason, input } = answered
  // An agent that allows something for good could not be told that it no longer is: so we do that for it.
  const answer: Answer = { approved, reason, always: false, ...(input !== undefined && { input }) }
  const running = live.agent
  const connection = await running?.connected
  await live.host.checkpoint('before-answer')
  try {
    await connection?.answer(approval, answer)
  } catch (error) {
    running?.end({ outcome: 'failed', reason: `The agent did not take the answer: ${sentence(error)}` })
  }
  await live.host.checkpoint('after-answer')
}
