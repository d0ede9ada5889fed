import type { z } from 'zod/mini'
import { redact } from '../../protocol/redact.ts'
import { DragomanError } from '../../protocol/error.ts'
import { configurationSchema, type Configuration, type WrongSettings } from './keys.ts'

/** The settings of one source, and how to name the source of each. */
export interface Source {
  readonly values: unknown
  readonly placeOf: (key: string) => string
}

/**
 * Checks settings from one source. The error for an invalid one names the key, the source and the reason. An agent with
 * invalid settings does not affect the others.
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

/** The agent with an invalid setting; null if something else is invalid, such as its name. */
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

/** The invalid value, unless it may contain a secret: other people may read the output. */
function notText(key: string, found: unknown): string {
  const text = JSON.stringify(found) ?? 'nothing'
  const isSecret = /^agents\b|token|key|secret/i.test(key) || redact(text) !== text
  return isSecret || text.length > longestShown ? '' : `, not ${text}`
}

const nested: ReadonlySet<unknown> = new Set(['agents', 'strategies', 'prices'])

/** The name to report: the setting or, for a setting with fields, the exact field. */
function culprit(values: unknown, path: readonly PropertyKey[]) {
  const names = nested.has(path[0]) ? path : path.slice(0, 1)
  const found = names.reduce((value, name) => (value as Record<PropertyKey, unknown>)[name], values)
  return { key: redact(names.map(String).join('.')), found }
}

/** The error for settings that cannot be used. */
export const refusal = (sentence: string) => new DragomanError('invalid-input', sentence)
