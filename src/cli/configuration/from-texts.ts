import { delimiter } from 'node:path'
import { checkSource } from './check.ts'
import { keys, type Configuration, type Key } from './keys.ts'
import { resolvePaths } from './resolve-paths.ts'

/** A setting as it was typed: once, several times, or not. */
export type Typed = string | readonly string[] | boolean | undefined

/** Settings from texts: options, or the environment. */
export function fromTexts(
  cwd: string,
  textOf: (key: Key) => Typed,
  placeOf: (key: Key) => string,
): Partial<Configuration> {
  const found = (Object.keys(keys) as Key[]).flatMap(key => {
    const typed = textOf(key)
    return typed === undefined || typeof typed === 'boolean' ? [] : [[key, valueOf(key, typed)] as const]
  })
  const settings = checkSource({
    values: Object.fromEntries(found),
    placeOf: key => placeOf(key as Key),
  })
  return resolvePaths(settings, cwd)
}

/** Parses a text; an invalid one is left for the check to report. */
function valueOf(key: Key, typed: string | readonly string[]): unknown {
  const { kind } = keys[key]
  if (typeof typed !== 'string') return kind === 'pairs' ? pairsOf(typed) : typed
  switch (kind) {
    case 'text':
    case 'path':
      return typed
    case 'number':
      return /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed
    case 'truth':
      return typed === 'true' ? true : typed === 'false' ? false : typed
    case 'paths':
      return typed.split(delimiter).filter(Boolean)
    case 'names':
      return typed.split(',').map(name => name.trim())
    case 'pairs':
      return pairsOf(typed.split(','))
  }
}

/** Names with values, each as `name=value`; one without a value is left for the check to name. */
const pairsOf = (pairs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
