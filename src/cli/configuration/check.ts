import type { z } from 'zod/mini'
import { redact } from '../../protocol/redact.ts'
import { DragomanError } from '../../protocol/error.ts'
import { configurationSchema, type Configuration, type WrongSettings } from './keys.ts'

/** Settings as they were found, and how to call the place of each for people. */
export interface Source {
  readonly values: unknown
  readonly placeOf: (key: string) => string
}

/**
 * Checks settings from one source; a bad one gets a sentence that names the key, the source and the reason. Of agents only
 * the bad ones cannot be used.
 */
export function checkSource(source: Source): Partial<Configuration> {
  const result = configurationSchema.safeParse(source.values)
  if (result.success) return result.data as Partial<Configuration>
  const { issues } = result.error
  const wrong = new Map<string, WrongSettings>()
  for (const issue of issues.toReversed()) {
    const name = agentAt(issue)
    if (name === null) throw refusal(sentenceOf(source, issues[0]))
    wrong.set(name, { kind: 'wrong', why: sentenceOf(source, issue) })
  }
  const values = source.values as { readonly agents: Readonly<Record<string, unknown>> }
  const others = Object.entries(values.agents).filter(([name]) => !wrong.has(name))
  const rest = checkSource({ ...source, values: { ...values, agents: Object.fromEntries(others) } })
  return { ...rest, agents: { ...rest.agents, ...Object.fromEntries(wrong) } }
}

/** The agent that something is wrong with; null when it is something else, as its name. */
function agentAt({ path: [setting, name], code }: z.core.$ZodIssue): string | null {
  return setting === 'agents' && typeof name === 'string' && code !== 'invalid_key' ? name : null
}

function sentenceOf({ values, placeOf }: Source, issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined || (issue.path.length === 0 && issue.code !== 'unrecognized_keys'))
    return `${placeOf('')} must contain one JSON object with settings.`
  if (issue.code === 'unrecognized_keys') {
    const key = redact(issue.keys[0] ?? '')
    if (issue.path.length > 0)
      return `"${redact([...issue.path, key].join('.'))}" in ${placeOf(key)} is not a setting.`
    const all = Object.keys(configurationSchema.shape).join(', ')
    return `"${key}" in ${placeOf(key)} is not a setting. Available settings: ${all}.`
  }
  const { key, found } = culprit(values, issue.path)
  return `"${key}" from ${placeOf(key)} must be ${issue.message}${notText(key, found)}.`
}

const longestShown = 200

/** The value that was found, unless it may hold a secret: agents have tokens and keys, and others may read what is printed. */
function notText(key: string, found: unknown): string {
  const text = JSON.stringify(found) ?? 'nothing'
  const isSecret = /^agents\b|token|key|secret/i.test(key) || redact(text) !== text
  return isSecret || text.length > longestShown ? '' : `, not ${text}`
}

/** What is to be named: a setting, and of agents and strategies the very field that is wrong. */
function culprit(values: unknown, path: readonly PropertyKey[]) {
  const names = path[0] === 'agents' || path[0] === 'strategies' ? path : path.slice(0, 1)
  const found = names.reduce((value, name) => (value as Record<PropertyKey, unknown>)[name], values)
  return { key: redact(names.map(String).join('.')), found }
}

/** The error for settings that cannot be used. */
export const refusal = (sentence: string) => new DragomanError('invalid-input', sentence)
