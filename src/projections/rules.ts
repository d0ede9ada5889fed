import { asObject } from '../protocol/json.ts'
import type { ApprovalId, RuleId } from '../protocol/ids.ts'
import { isSameScope, type RuleScope } from '../protocol/rule-scope.ts'
import { textIn } from '../protocol/tool-call/fields.ts'
import { momentOf, type Moment } from './moment.ts'
import type { Projection } from './projection.ts'

/** What a person always allows in a session, until it is revoked: calls of one tool with exactly one input. */
export interface Rule extends RuleScope {
  readonly id: RuleId
  /** The agent whose calls it covers. */
  readonly agent: string
  /** The command in the input, if there is one: for display. */
  readonly command: string | null
  /** The approval that was answered with "always". */
  readonly approval: ApprovalId
  readonly made: Moment
  /** How many questions it has answered. */
  readonly used: number
}

/** The rules that hold, in the order in which they were made. */
export const rules: Projection<readonly Rule[]> = {
  initial: [],
  apply(held, entry) {
    const { event } = entry
    if (event.type === 'approval-answered' && event.rule !== undefined)
      return held.map(rule => (rule.id === event.rule ? { ...rule, used: rule.used + 1 } : rule))
    if (event.type === 'rule-revoked') return without(held, event.rule)
    // With other options, the same agent name may mean another program.
    if (event.type === 'agent-assigned' && event.options !== undefined && event.keepsRules === undefined)
      return held.filter(({ agent }) => agent !== event.agent)
    if (event.type !== 'rule-made') return held
    const { rule: id, agent, tool, input, approval } = event
    if (agent === undefined || input === undefined) return held
    const command = textIn(asObject(input), 'command') ?? null
    const made = { id, agent, tool, input, command, approval, made: momentOf(entry), used: 0 }
    return [...without(held, id), made]
  },
}

const without = (held: readonly Rule[], id: RuleId): readonly Rule[] =>
  held.some(rule => rule.id === id) ? held.filter(rule => rule.id !== id) : held

/** Rules of an older version, which covered every input or every folder. They answer nothing, and are dropped. */
export const outdatedRules: Projection<readonly RuleId[]> = {
  initial: [],
  apply(outdated, { event }) {
    if (event.type === 'rule-made' && event.input === undefined) return [...outdated, event.rule]
    if (event.type === 'rules-dropped') return outdated.filter(rule => !event.rules.includes(rule))
    const isRevoked = event.type === 'rule-revoked' && outdated.includes(event.rule)
    return isRevoked ? outdated.filter(rule => rule !== event.rule) : outdated
  },
}

/** The rule that allows a call of an agent, if one does. */
export const ruleFor = (held: readonly Rule[], agent: string, scope: RuleScope): Rule | undefined =>
  held.find(rule => rule.agent === agent && isSameScope(rule, scope))
