import type { Json } from 'dragoman'
import { fieldsOf, isFields } from './json-fields.ts'

/** What somebody wrote in the place of an input: it, or why it is none. */
export type ReadInput =
  | { readonly input: Json; readonly problem: null }
  | { readonly input: null; readonly problem: string }

/** The input with another command. */
export function withCommand(input: unknown, command: string): ReadInput {
  if (command.trim() === '') return { input: null, problem: 'A command must not be empty. Say no instead.' }
  return { input: { ...fieldsOf(input), command }, problem: null }
}

/** The input that was written as JSON. What had fields must have some, or no tool could read it. */
export function readInput(before: unknown, text: string): ReadInput {
  try {
    const input = JSON.parse(text) as Json
    if (isFields(before) && !isFields(input))
      return { input: null, problem: 'The input must be an object with fields, in { and }.' }
    return { input, problem: null }
  } catch (error) {
    return { input: null, problem: `That is no JSON: ${(error as Error).message}.` }
  }
}

/** Why another input cannot be given, and what can be done instead. */
export const cannotChange = (agent: string): string =>
  `${agent} runs this as asked or not at all. With a no you can say what it should do instead.`
