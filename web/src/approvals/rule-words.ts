import { commandIn, type Subject } from './asked.ts'

/** What would always be allowed. */
export interface RuleToBe {
  readonly tool: string
  /** Only this very command; null allows every call of the tool. */
  readonly command: string | null
}

/**
 * The rule that "always" makes of an answer, as the server makes it: the tool, and where it runs a command, only that one. Null
 * when none would be made: what was changed into something without a command says nothing about commands.
 */
export function ruleToBe({ tool, input }: Subject, changed?: unknown): RuleToBe | null {
  const asked = commandIn(input)
  const command = changed === undefined ? asked : commandIn(changed)
  return asked !== null && command === null ? null : { tool, command }
}

/** How far a rule goes, in words; the tool and the command stand beside them. */
export const reachOf = ({ command }: RuleToBe): string =>
  command === null ? 'every call, in this session' : 'only this very command, in this session'
