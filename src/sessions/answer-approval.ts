import type { Answer } from '../agents/agent.ts'
import type { CommandOf } from '../protocol/command.ts'
import type { Entry } from '../protocol/entry.ts'
import { DragomanError } from '../protocol/error.ts'
import type { ApprovalId } from '../protocol/ids.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'
import { sentence } from './sentence.ts'

/** Saves a person's answer and tells the agent. The first answer wins; a later one learns what it was. */
export async function answerApproval(
  live: LiveSession,
  command: CommandOf<'answer'>,
): Promise<Reply<'answer'>> {
  const approval = command.approval as ApprovalId
  const { approved, reason = null, input, always = false } = command
  const answer: Answer = { approved, reason, always, ...(input !== undefined && { input }) }
  const { entries, repeated } = await live.wish(async pen => {
    const { pending } = live.line.state.summary
    if (!pending.some(each => each.approval === approval)) throw await refusal(live, approval)
    return pen.appendOnce(`approval:${approval}`, [{ type: 'approval-answered', approval, ...answer }])
  })
  const [entry] = entries
  if (entry === undefined || repeated) throw settled(approval, entry)
  live.spawn(() => deliver(live, approval, answer))
  return { approval, seq: entry.seq }
}

/** An agent that is gone by now needs no answer: its exit has let the question lapse, or will. */
async function deliver(live: LiveSession, approval: ApprovalId, answer: Answer): Promise<void> {
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

async function refusal({ host, line }: LiveSession, approval: ApprovalId): Promise<DragomanError> {
  await line.settled()
  const row = await host.catalogue.findApproval(line.session, approval)
  if (row === undefined)
    return new DragomanError(
      'unknown-approval',
      `Session ${line.session} never asked for an approval ${approval}.`,
    )
  const [winner] = await host.journal.read(line.session, (row.settledSeq ?? 1) - 1, 1)
  return settled(approval, winner)
}

function settled(approval: ApprovalId, winner: Entry | undefined): DragomanError {
  const lapsed = winner?.event.type === 'approval-lapsed'
  const how = lapsed ? 'has lapsed, and the agent no longer waits for it' : 'was answered already'
  return new DragomanError('approval-settled', `The approval ${approval} ${how}.`, { winner })
}
