import type { ApprovalId, RuleId } from '../protocol/ids.ts'
import { momentOf, type Moment } from './moment.ts'
import type { Projection } from './projection.ts'

/** What a person always allows in a session, until it is taken back. */
export interface Rule {
  readonly id: RuleId
  readonly tool: string
  /** Only this very command; null allows every call of the tool. */
  readonly command: string | null
  /** The question that was answered so. */
  readonly approval: ApprovalId
  readonly made: Moment
}

/** The rules that hold, in the order in which they were made. */
export const rules: Projection<readonly Rule[]> = {
  initial: [],
  apply(held, entry) {
    const { event } = entry
    if (event.type === 'rule-made') {
      const { rule: id, tool, command, approval } = event
      return [...held.filter(each => each.id !== id), { id, tool, command, approval, made: momentOf(entry) }]
    }
    if (event.type !== 'rule-revoked' || !held.some(({ id }) => id === event.rule)) return held
    return held.filter(({ id }) => id !== event.rule)
  },
}

/** The rule that allows a call, if one does. */
export const ruleFor = (held: readonly Rule[], tool: string, command: string | null): Rule | undefined =>
  held.find(rule => rule.tool === tool && (rule.command === null || rule.command === command))
