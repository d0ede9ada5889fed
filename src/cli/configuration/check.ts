import { DragomanError } from '../../protocol/error.ts'
import { configurationSchema, type Configuration } from './keys.ts'

/** Settings as they were found, and how to call the place of each for people. */
export interface Source {
  readonly values: unknown
  readonly placeOf: (key: string) => string
}

/** Checks settings from one source; a bad one gets a sentence that names the key, the source and the reason. */
export function checkSource({ values, placeOf }: Source): Partial<Configuration> {
  const result = configurationSchema.safeParse(values)
  if (result.success) return result.data as Partial<Configuration>
  const [issue] = result.error.issues
  if (issue === undefined || (issue.path.length === 0 && issue.code !== 'unrecognized_keys'))
    throw refusal(`${placeOf('')} must hold one JSON object with settings.`)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    if (issue.path.length > 0)
      throw refusal(`"${[...issue.path, key].join('.')}" in ${placeOf(key)} is no setting.`)
    const all = Object.keys(configurationSchema.shape).join(', ')
    throw refusal(`"${key}" in ${placeOf(key)} is no setting. There are: ${all}.`)
  }
  const { key, found } = culprit(values, issue.path)
  // A secret is not repeated where others may read it.
  const not = key === 'token' ? '' : `, not ${JSON.stringify(found)}`
  throw refusal(`"${key}" from ${placeOf(key)} must be ${issue.message}${not}.`)
}

/** What is to be named: a setting, and of agents and strategies the very field that is wrong. */
function culprit(values: unknown, path: readonly PropertyKey[]) {
  const names = path[0] === 'agents' || path[0] === 'strategies' ? path : path.slice(0, 1)
  const found = names.reduce((value, name) => (value as Record<PropertyKey, unknown>)[name], values)
  return { key: names.map(String).join('.'), found }
}

/** The error for settings that cannot be used. */
export const refusal = (sentence: string) => new DragomanError('invalid-input', sentence)
