import type { Json } from '../../protocol/json.ts'
import { asObject, numberOf, objectOf, textOf, wordsIn, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { withExitCode } from './exit-code.ts'

/**
 * Why a call of a rollout failed, in the words that the model saw; null when it did not. The model's own tools tell the exit
 * code in their words only; beside them Codex may have told facts.
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

/** What the model is told of any call that a person stopped. */
const aborted = /^(?:Wall time: [\d.]+ seconds\n)?aborted by user(?: after [\d.]+s)?\s*$/

/** Whether a person denied a call, by what the model was told. */
export const isDenied = (output: Json): boolean => /\brejected by user\b/.test(textIn(output).slice(0, 200))

const failed = new Set(['failed', 'declined', 'errored'])

/** Tools that run commands. What another tool gives may look the same, and means nothing here. */
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
  // After its head come the command's own words, which may be any.
  const [head = ''] = text.split('\nOutput:', 1)
  const [, code] = /^(?:Exit code:|Process exited with code) (-?\d+)$/m.exec(head) ?? []
  return code === undefined || Number(code) === 0 ? null : text
}

function failureInJson(told: Fields): string | null {
  const code = numberOf(objectOf(told, 'metadata'), 'exit_code')
  return code === 0 ? null : withExitCode(textOf(told, 'output'), code)
}
