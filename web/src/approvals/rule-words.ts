import type { Json } from 'dragoman'
import type { ListedApproval } from 'dragoman/client'
import { ruleOffer } from 'dragoman/client/work-log'
import { fieldsOf, textIn } from './json-fields.ts'

/** What would always be allowed: calls of a tool with exactly this input. */
export type RuleToBe = Pick<NonNullable<ListedApproval['rule']>, 'tool' | 'input'>

/** The rule that "always" makes of an answer; null when none can be made. With an edited input it covers that one. */
export function ruleToBe({ rule }: Pick<ListedApproval, 'rule'>, changed?: Json): RuleToBe | null {
  if (rule === null || changed === undefined) return rule
  return ruleOffer({ toolName: rule.tool, input: changed }).rule
}

/** The input a rule covers, as text: a lone command as it is, anything else as JSON. */
export function coveredText({ input }: RuleToBe): string {
  const command = textIn(fieldsOf(input), 'command')
  return command !== null && Object.keys(fieldsOf(input)).length === 1 ? command : JSON.stringify(input)
}

/** How often a rule has answered. */
export const usedText = (used: number): string =>
  used === 0 ? 'Not used yet' : used === 1 ? 'Used once' : `Used ${used} times`
