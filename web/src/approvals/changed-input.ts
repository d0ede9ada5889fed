import type { Json } from 'dragoman'
import { fieldsOf, isFields } from './json-fields.ts'

/** An edited input, or why it is not valid. */
export type ReadInput =
  | { readonly input: Json; readonly problem: null }
  | { readonly input: null; readonly problem: string }

/** The input with another command. */
export function withCommand(input: unknown, command: string): ReadInput {
  if (command.trim() === '') return { input: null, problem: 'Enter a command, or deny instead.' }
  return { input: { ...fieldsOf(input), command }, problem: null }
}

/** The input that the user typed as JSON. An object must stay an object, or the tool could not read it. */
export function readInput(before: unknown, text: string): ReadInput {
  try {
    const input = JSON.parse(text) as Json
    if (isFields(before) && !isFields(input))
      return { input: null, problem: 'The input must be a JSON object, in { and }.' }
    return { input, problem: null }
  } catch (error) {
    return { input: null, problem: `Invalid JSON: ${(error as Error).message}.` }
  }
}

/** The agent that sent the request. */
export interface AskingAgent {
  readonly title: string
  readonly changedInput: boolean
  readonly denialReasons: boolean
}

/** Why the input cannot be edited, and what can be done instead. */
export function cannotChange({
  title,
  denialReasons,
}: {
  readonly title: string
  readonly denialReasons: boolean
}): string {
  const instead = denialReasons
    ? 'Deny with a reason that says what to do instead.'
    : 'Deny, then send a prompt.'
  return `${title} can’t run an edited input. ${instead}`
}

/** The hint for an agent that can't receive a reason. */
export const reasonIsLost = (title: string): string =>
  `${title} can’t receive a reason. It is only saved in this session.`
