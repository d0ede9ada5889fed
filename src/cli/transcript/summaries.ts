import { isObject, type Json } from '../../protocol/json.ts'
import { counted } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'

/** Names of the most useful argument of a tool, best first. */
const telling = [
  'command',
  'file_path',
  'path',
  'pattern',
  'query',
  'url',
  'question',
  'description',
  'prompt',
]
/** The fields in which tools return text. */
const results = ['stdout', 'output', 'text', 'content', 'message', 'result']
/** No terminal line shows more than this, and outputs can be huge. */
const enough = 2000

/** The input of a tool call on one line, by its most useful argument. */
export function inputSummary(input: Json): string {
  if (!isObject(input)) return input === null ? '' : textOf(input)
  const values = Object.values(input)
  if (values.length === 0) return ''
  const key = telling.find(name => typeof input[name] === 'string')
  return textOf(
    key === undefined && values.length === 1 ? (values[0] ?? null) : ((key && input[key]) ?? input),
  )
}

/** The output of a tool call on one line: its start and its size. */
export function outputSummary(output: Json): string {
  if (output === null) return ''
  if (!isObject(output)) return beginning(output)
  const key = results.find(name => typeof output[name] === 'string')
  const exit = output['exitCode'] ?? output['exit_code']
  const code = typeof exit === 'number' && exit !== 0 ? `exit code ${exit}` : ''
  const ended = output['timedOut'] ?? output['endedBy']
  const why = typeof ended === 'string' ? ended : ''
  return [code, why, beginning(key === undefined ? output : (output[key] ?? null))]
    .filter(Boolean)
    .join(' · ')
}

function beginning(output: Json): string {
  if (typeof output !== 'string') return textOf(output)
  const lines = output.trimEnd().split('\n', 1000)
  const first = inertLine(lines[0]?.slice(0, enough) ?? '')
  return lines.length < 2
    ? first
    : `${first} … ${lines.length === 1000 ? 'many lines' : counted(lines.length, 'line')}`
}

const textOf = (value: Json) =>
  inertLine((typeof value === 'string' ? value : JSON.stringify(value)).slice(0, enough))
