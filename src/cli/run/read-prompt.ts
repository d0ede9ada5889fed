import { text } from 'node:stream/consumers'
import { wrongUsage } from '../arguments.ts'

/** The prompt as it was typed, or all of standard input for "-". An empty one is refused. */
export async function readPrompt(operand: string, stdin: NodeJS.ReadStream): Promise<string> {
  const prompt = operand === '-' ? await text(stdin) : operand
  if (prompt.trim() === '') throw wrongUsage('run', 'The prompt is empty.')
  return prompt
}
