import type { RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { textOf, fieldsOf } from './messages.ts'

/**
 * Reads a line of a recording: Claude Code's line, or where both directions were recorded, the direction and the
 * line.
 */
export function readRecorded(line: string): RawMessage {
  if (!line.startsWith('{"dir":')) return { from: 'agent', text: line }
  const recorded = fieldsOf(parseJson(line))
  const text = textOf(recorded?.['line'])
  if (text === null) return { from: 'agent', text: line }
  return { from: recorded?.['dir'] === 'host>cli' ? 'host' : 'agent', text }
}
