import type { SessionState } from '../../catalogue/session-state.ts'
import { ruleFor } from '../../projections/rules.ts'
import { tooLongToApprove } from '../../protocol/cut-text.ts'
import { DragomanError } from '../../protocol/error.ts'
import { chunksOf, type Event, type EventOf } from '../../protocol/event.ts'
import type { ApprovalId, RuleId } from '../../protocol/ids.ts'
import { openParts, questionIn, type OpenParts } from '../../protocol/open-parts.ts'
import type { Json } from '../../protocol/json.ts'
import { ruleOffer, type RuleOffer } from '../../protocol/rule-scope.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { answerPending, questionsIn, type Answered } from './watch-questions.ts'

/** The rule that an answer with "always" makes; none when it exists already. Throws when no rule can cover the call. */
export function ruleOf(owned: OwnedSession, answered: Answered): readonly EventOf<'rule-made'>[] {
  const { approval, approved, always, input } = answered
  if (!always) return []
  if (!approved)
    throw new DragomanError(
      'rule-refused',
      'A rule can only allow calls. Answer without "always" to deny this one.',
    )
  const { open, rules, summary } = owned.writer.state
  const asked = questionIn(open, approval)?.offer ?? callIsOver
  const { rule, ruleReason } = input === undefined ? asked : offerForEdited(owned, asked, input)
  if (rule === null)
    throw new DragomanError('rule-refused', `${ruleReason} Answer without "always" to allow it once.`)
  if (ruleFor(rules, summary.agent, rule) !== undefined) return []
  return [{ type: 'rule-made', rule: owned.host.newId<RuleId>(), agent: summary.agent, ...rule, approval }]
}

const callIsOver: RuleOffer = { rule: null, ruleReason: 'The call is over, so no rule can be made for it.' }

/** An edited input is what will run, so the rule covers it, and not the input that the agent asked about. */
function offerForEdited({ agent: running }: OwnedSession, asked: RuleOffer, input: Json): RuleOffer {
  if (asked.rule === null) return asked
  if (running?.agent.capabilities.changedInput !== true)
    return { rule: null, ruleReason: 'The agent cannot run an edited input, so no rule can cover it.' }
  return ruleOffer({ toolName: asked.rule.tool, input })
}

/**
 * Adds an answer right after each question that needs no person, so that it is never pending: a rule allows the call, or the
 * server denies it because the input cannot be shown in full.
 */
export function withAnswers(state: SessionState, events: readonly Event[]): readonly Event[] {
  const answered = new Set<string>()
  let { open } = state
  return events.flatMap(event => {
    if (event.type === 'approval-lapsed' && answered.has(event.approval)) return []
    open = chunksOf(event).reduce(openParts.apply, open)
    const answers = questionsIn(event).flatMap(approval => answersFor(state, open, approval))
    for (const { approval } of answers) answered.add(approval)
    return [event, ...answers]
  })
}

function answersFor(
  { rules, summary }: SessionState,
  open: OpenParts,
  approval: ApprovalId,
): readonly Answered[] {
  const answered = { type: 'approval-answered', approval, always: false } as const
  const asked = questionIn(open, approval)
  if (asked?.isCut) return [{ ...answered, approved: false, reason: tooLongToApprove, by: 'server' }]
  const scope = asked?.offer?.rule
  const rule = scope && ruleFor(rules, summary.agent, scope)
  return rule ? [{ ...answered, approved: true, reason: null, by: 'rule', rule: rule.id }] : []
}

/** Answers the pending questions that a new rule covers. */
export async function answerByRules(owned: OwnedSession): Promise<void> {
  for (const { approval } of owned.writer.state.summary.pending)
    await answerPending(owned, approval, state => answersFor(state, state.open, approval)[0])
}
