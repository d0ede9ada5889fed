import type { ListedApproval } from 'dragoman/client'
import { tellPart, toolNamed, type CallPlace } from 'dragoman/client/work-log'
import type { Json, ToolPart } from 'dragoman'
import { formIn, type FormField } from './form-fields.ts'
import { fieldsOf, textIn } from './json-fields.ts'
import { questionsIn, type Question } from './questions.ts'

/** What a request asks for: an answer to questions, or permission. */
export type Asked =
  | { readonly kind: 'questions'; readonly questions: readonly Question[] }
  | { readonly kind: 'form'; readonly message: string; readonly fields: readonly FormField[] }
  | { readonly kind: 'plan'; readonly plan: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'edit' }
  | { readonly kind: 'call' }

/** The subject of an approval. */
export type Subject = Pick<ListedApproval, 'tool' | 'input'>

/** Parses a request. Unknown input is shown as it is. */
export function askedOf({ tool, input }: Subject): Asked {
  // Agents behind another agent use its tool names, so all usual names are recognized.
  const { family } = toolNamed(tool)
  const questions = family === 'ask' ? questionsIn(input) : null
  if (questions !== null) return { kind: 'questions', questions }
  const fields = family === 'ask' || tool === 'elicitation' ? formIn(input) : null
  if (fields !== null) return { kind: 'form', message: textIn(fieldsOf(input), 'message') ?? '', fields }
  const plan = family === 'plan' ? textIn(fieldsOf(input), 'plan') : null
  if (plan !== null) return { kind: 'plan', plan }
  const command = commandIn(input)
  if (command !== null) return { kind: 'command', command }
  return family === 'edit' || family === 'write' ? { kind: 'edit' } : { kind: 'call' }
}

/** Whether an answer is wanted, not just permission. */
export const wantsWords = ({ kind }: Asked): boolean => kind === 'questions' || kind === 'form'

/** The command that an input asks to run, if it does. */
export const commandIn = (input: unknown): string | null => textIn(fieldsOf(input), 'command')

/** The same call as a part of a message, which is what others show. */
export const partOf = ({ id, tool, input, toolCallId }: ListedApproval): ToolPart => ({
  type: 'dynamic-tool',
  toolName: tool,
  toolCallId,
  state: 'approval-requested',
  input: input as Json,
  approval: { id },
})

/** The agent's request in a sentence. */
export function sentenceOf(approval: ListedApproval, place: CallPlace): string {
  const { kind } = askedOf(approval)
  if (kind === 'plan') return 'Carry out this plan?'
  if (kind === 'questions' || kind === 'form') return 'Has a question for you'
  if (kind === 'command') return 'Run this command?'
  return tellPart(partOf(approval), place).sentence
}
