import { inertLine } from '../terminal/inert.ts'
import type { Style } from '../terminal/style.ts'
import type { OptionSchema } from '../../protocol/agent-options.ts'
import type { FoundAgent } from './check-agents.ts'

type Agent = Pick<FoundAgent, 'name' | 'options'>

/** The options of an agent, each with its meaning and its known values. */
export function optionsText({ name, options }: Agent, style: Style): string {
  const all = Object.entries<OptionSchema>(options?.properties ?? {})
  const lines = all.map(([option, about]) => linesOf(option, about, style)).join('')
  const none = '  This agent declares no options.\n'
  return `\n${style.bold(`Options of ${inertLine(name)}`)}\n${all.length === 0 ? none : lines}`
}

function linesOf(name: string, { title, description, type, ...more }: OptionSchema, style: Style): string {
  const kind = more.enum === undefined && type !== undefined && type !== 'string' ? ` (${type})` : ''
  const risks = Object.values(more['x-risks'] ?? {})
  const only = more['x-new'] === true ? ['Only for a new session.'] : []
  const sentences = [description ?? title ?? '', valuesOf(more), ...only, ...risks]
  const words = sentences.filter(text => text !== '').join(' ')
  return `  ${inertLine(name)}${style.dim(kind)}\n      ${inertLine(words)}\n`
}

function valuesOf({ enum: only, examples }: Pick<OptionSchema, 'enum' | 'examples'>): string {
  const values = (only ?? examples ?? []).map(value =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  if (values.length === 0) return ''
  return only === undefined ? `For example: ${values.join(', ')}.` : `Values: ${values.join(', ')}.`
}
