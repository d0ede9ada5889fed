import type { RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { textOf, wordsOf } from './messages.ts'

/** Reads a line of a recording: what Claude Code wrote, or, where both sides were recorded, who wrote it and the line. */
export function readRecorded(line: string): RawMessage {
  if (!line.startsWith('{"dir":')) return { from: 'agent', text: line }
  const recorded = wordsOf(parseJson(line))
  const text = textOf(recorded?.['line'])
  if (text === null) return { from: 'agent', text: line }
  return { from: recorded?.['dir'] === 'host>cli' ? 'host' : 'agent', text }
}
