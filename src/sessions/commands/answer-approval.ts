import { refuseInput } from '../../protocol/refuse-input.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { ApprovalId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'
import { answerByRules, ruleOf } from '../agent/rules.ts'
import { answerOf, type Answered } from '../agent/watch-questions.ts'

/** Saves a person's answer, which then goes to the agent. The first answer wins; a later one fails and gets the first. */
export async function answerApproval(
  owned: OwnedSession,
  command: CommandOf<'answer'>,
): Promise<Reply<'answer'>> {
  const approval = command.approval as ApprovalId
  const { approved, reason = null, input, always = false } = command
  const answered: Answered = {
    type: 'approval-answered',
    approval,
    approved,
    reason,
    ...(input !== undefined && { input }),
    always,
    by: 'person',
  }
  const { entry, rules } = await owned.write(async appender => {
    const { pending } = owned.writer.state.summary
    if (!pending.some(each => each.approval === approval)) throw await refusal(owned, approval)
    await refuseAnswer(owned, answered)
    const made = ruleOf(owned, answered)
    const { entries, repeated } = await appender.appendOnce(`approval:${approval}`, [answered, ...made])
    if (entries[0] === undefined || repeated) throw settled(approval, entries[0])
    return { entry: entries[0], rules: made.length }
  })
  if (rules > 0) owned.spawn(() => answerByRules(owned))
  return { approval, seq: entry.seq }
}

/** Throws when the agent cannot use the answer, so that it is not saved. */
async function refuseAnswer({ agent: running }: OwnedSession, answered: Answered): Promise<void> {
  if (running === null) return
  const connection = await running.connected
  const answer = answerOf(answered)
  const why =
    connection?.refusal === undefined
      ? refuseInput(answer, running.agent.capabilities.changedInput)
      : connection.refusal(answered.approval, answer)
  if (why !== null) throw new DragomanError('invalid-input', why)
}

async function refusal({ host, writer }: OwnedSession, approval: ApprovalId): Promise<DragomanError> {
  await writer.settled()
  const row = await host.catalogue.findApproval(writer.session, approval)
  if (row === undefined)
    return new DragomanError('unknown-approval', `Session ${writer.session} has no approval ${approval}.`)
  const [winner] = await host.journal.read(writer.session, (row.settledSeq ?? 1) - 1, 1)
  return settled(approval, winner)
}

function settled(approval: ApprovalId, winner: Entry | undefined): DragomanError {
  const lapsed = winner?.event.type === 'approval-lapsed'
  const how = lapsed ? 'has expired: the agent no longer waits for it' : 'was already answered'
  return new DragomanError('approval-settled', `The approval ${approval} ${how}.`, { winner })
}
