import type { RawMessage } from '../agent.ts'
import { asObject } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'

/**
 * Reads a line of a recording: `{"from":"agent"|"host","text":"…"}` of both directions, or an event of a model's
 * stream alone, with `data:` before it or without.
 */
export function readRecorded(line: string): RawMessage | null {
  const recorded = asObject(parseJson(line))
  const { from, text } = recorded
  if ((from === 'agent' || from === 'host') && typeof text === 'string') return { from, text }
  return line.trim() === '' ? null : { from: 'agent', text: line }
}
