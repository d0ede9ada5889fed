import type { Json } from '../../protocol/json.ts'
import { asObject, numberOf, objectOf, textOf, wordsIn, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { withExitCode } from './failure.ts'

/**
 * Why a call of a rollout failed, as the model saw it; null if it did not fail. The model's own tools report the exit
 * code only in their text; Codex may report more facts separately.
 */
export function failureIn(tool: string, output: Json, facts: Fields): string | null {
  const text = textIn(output)
  if (aborted.test(text)) return text
  const seen = commands.has(tool) ? failureSeen(text) : null
  if (seen !== null) return seen
  const code = facts['exit_code']
  if (typeof code === 'number' && code !== 0) return withExitCode(text, code)
  const isFailed = failed.has(textOf(facts, 'status').toLowerCase()) || asObject(output)['success'] === false
  return isFailed ? text || withExitCode('', null) : null
}

/** The output of any call that a person stopped. */
const aborted = /^(?:Wall time: [\d.]+ seconds\n)?aborted by user(?: after [\d.]+s)?\s*$/

/** Whether a person denied a call, according to its output. */
export const isDenied = (output: Json): boolean => /\brejected by user\b/.test(textIn(output).slice(0, 200))

const failed = new Set(['failed', 'declined', 'errored'])

/** Tools that run commands. The output of another tool may look the same by chance. */
const commands = new Set([
  'exec_command',
  'write_stdin',
  'shell',
  'shell_command',
  'local_shell',
  'container.exec',
  'apply_patch',
])

function textIn(output: Json): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return wordsIn(output) || JSON.stringify(output)
  const { content = null } = asObject(output)
  return content === null ? (output === null ? '' : JSON.stringify(output)) : textIn(content)
}

function failureSeen(text: string): string | null {
  if (/^(exec_command|write_stdin) failed\b/.test(text)) return text
  if (text.startsWith('{')) return failureInJson(asObject(parseJson(text)))
  if (!/^(Exit code|Chunk ID|Wall time): /.test(text)) return null
  // After the head comes the command's own output, which may be anything.
  const [head = ''] = text.split('\nOutput:', 1)
  const [, code] = /^(?:Exit code:|Process exited with code) (-?\d+)$/m.exec(head) ?? []
  return code === undefined || Number(code) === 0 ? null : text
}

function failureInJson(result: Fields): string | null {
  const code = numberOf(objectOf(result, 'metadata'), 'exit_code')
  return code === 0 ? null : withExitCode(textOf(result, 'output'), code)
}
