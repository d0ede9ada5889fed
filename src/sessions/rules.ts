import type { SessionState } from '../catalogue/session-state.ts'
import { ruleFor } from '../projections/rules.ts'
import type { PendingApproval } from '../projections/status.ts'
import type { CommandOf } from '../protocol/command.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Event } from '../protocol/event.ts'
import type { RuleId } from '../protocol/ids.ts'
import { commandIn } from '../protocol/open-parts.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'
import { answerUnasked, type Answered } from './settle-approval.ts'

/** Takes a rule back: from now on people are asked again. */
export async function revokeRule(live: LiveSession, command: CommandOf<'revoke'>): Promise<Reply<'revoke'>> {
  const rule = command.rule as RuleId
  return live.wish(async pen => {
    if (!live.line.state.rules.some(({ id }) => id === rule))
      throw new DragomanError(
        'unknown-rule',
        `Session ${live.line.session} has no rule ${rule}. It may have been taken back already.`,
      )
    const [entry] = await pen.append([{ type: 'rule-revoked', rule }])
    return { seq: entry?.seq ?? 0 }
  })
}

/** The rule that an answer makes: "always" allows the tool, and where that runs a command, only this one. */
export function ruleOf({ host, line: { state } }: LiveSession, answered: Answered): readonly Event[] {
  const { approval, approved, always, input } = answered
  const pending = state.summary.pending.find(each => each.approval === approval)
  const call = pending && callOf(state, pending)
  if (!approved || !always || call === undefined) return []
  const command = input === undefined ? call.command : commandIn(input)
  // What a person changed into something without a command says nothing about commands.
  if (call.command !== null && command === null) return []
  if (ruleFor(state.rules, call.toolName, command) !== undefined) return []
  return [{ type: 'rule-made', rule: host.newId<RuleId>(), tool: call.toolName, command, approval }]
}

/** Answers all that waits and that a rule covers. */
export async function answerByRules(live: LiveSession): Promise<void> {
  for (const { approval } of live.line.state.summary.pending)
    await answerUnasked(live, approval, (state, pending) => {
      const call = callOf(state, pending)
      const rule = call && ruleFor(state.rules, call.toolName, call.command)
      return rule && { approved: true, reason: null, by: 'rule', rule: rule.id }
    })
}

/** The call that a question is about; undefined when it is over. */
const callOf = ({ open }: SessionState, { thread, toolCallId }: PendingApproval) =>
  open.messages
    .filter(message => message.thread === thread)
    .flatMap(({ calls }) => calls)
    .find(call => call.toolCallId === toolCallId)
