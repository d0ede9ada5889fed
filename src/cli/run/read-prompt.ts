import { text } from 'node:stream/consumers'
import { wrongUsage } from '../arguments.ts'

/** The prompt as it was typed, or all of standard input for "-". An empty one is refused. */
export async function readPrompt(operand: string, stdin: NodeJS.ReadStream): Promise<string> {
  // The newline at the end belongs to the line and not to the words, as in a shell.
  const prompt = operand === '-' ? (await text(stdin)).replace(/\r?\n$/, '') : operand
  if (prompt.trim() === '') throw wrongUsage('run', 'The prompt is empty.')
  return prompt
}
