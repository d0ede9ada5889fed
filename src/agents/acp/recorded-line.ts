import type { RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { objectOf, type JsonObject } from './messages.ts'

/** How nearly all recorded lines begin; the rest of such a line is the message as it was on the wire. */
const beginning = /^\{"dir":"(in|out|meta)",(?:"t":-?[\d.]+,)?"msg":/

/**
 * Reads a line of a recording of both directions: `{"dir":"in"|"out"|"meta","msg":{…}}`. Any other line is a line of
 * the agent.
 */
export function readRecorded(line: string): RawMessage | null {
  const [start, dir] = beginning.exec(line) ?? []
  const text = line.trimEnd()
  if (start !== undefined && text.endsWith('}')) return raw(dir, text.slice(start.length, -1))
  const recorded = objectOf(parseJson(line))
  return isRecorded(recorded) ? raw(recorded['dir'], JSON.stringify(recorded['msg'])) : raw('in', line)
}

function isRecorded(value: JsonObject): boolean {
  const { dir } = value
  return (dir === 'in' || dir === 'out' || dir === 'meta') && value['msg'] !== undefined
}

function raw(dir: unknown, text: string): RawMessage | null {
  if (dir === 'meta') return null
  return { from: dir === 'out' ? 'host' : 'agent', text }
}
