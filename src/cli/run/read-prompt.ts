import { text } from 'node:stream/consumers'
import { wrongUsage } from '../arguments.ts'

/** The prompt as it was typed, or all of standard input for "-". An empty one is refused. */
export async function readPrompt(operand: string, stdin: NodeJS.ReadStream): Promise<string> {
  // As in a shell, the last newline is not part of the text.
  const prompt = operand === '-' ? (await text(stdin)).replace(/\r?\n$/, '') : operand
  if (prompt.trim() === '') throw wrongUsage('run', 'The prompt is empty.')
  return prompt
}
