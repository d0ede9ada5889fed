import { join, resolve } from 'node:path'
import type { Shell } from '../shell.ts'
import { checkSource, refusal } from './check.ts'
import { defaultFolder } from './default-folder.ts'
import { readFile } from './file.ts'
import { keys, type Configuration, type Key } from './keys.ts'

/** The values of options; those that are no settings are passed over. */
export type FlagTexts = Readonly<Record<string, string | boolean | undefined>>

const defaults = { agent: 'scripted', durability: 'full', maxRunning: 8, idleMinutes: 5 } as const

/** Puts settings together: options win over the environment, that over a named file, that over the file in the data folder. */
export function readConfiguration(flags: FlagTexts, { env, cwd }: Pick<Shell, 'env' | 'cwd'>): Configuration {
  const fromFlags = fromTexts(
    cwd,
    name => flags[keys[name].flag],
    name => `the option --${keys[name].flag}`,
  )
  const fromEnvironment = fromTexts(
    cwd,
    name => env[keys[name].variable] || undefined,
    name => `${keys[name].variable} in the environment`,
  )
  const path = flags['config'] ?? (env['DRAGOMAN_CONFIG'] || undefined)
  const fromNamed = typeof path === 'string' ? readFile(resolve(cwd, path), false) : {}
  const chosen = { ...fromNamed, ...fromEnvironment, ...fromFlags }
  const data = chosen.data ?? defaultFolder(env)
  return { ...defaults, ...fromFolder(data), ...chosen, data }
}

/** The file in a data folder cannot lead to another one. */
function fromFolder(data: string): Partial<Configuration> {
  const path = join(data, 'dragoman.json')
  const settings = readFile(path, true)
  if (settings.data !== undefined)
    throw refusal(
      `"data" in ${path} has no effect. Set it by --data, DRAGOMAN_DATA or a file named by --config.`,
    )
  return settings
}

function fromTexts(
  cwd: string,
  textOf: (key: Key) => string | boolean | undefined,
  placeOf: (key: Key) => string,
): Partial<Configuration> {
  const found = (Object.keys(keys) as Key[]).flatMap(key => {
    const text = textOf(key)
    return typeof text === 'string' ? [[key, valueOf(key, text)] as const] : []
  })
  const values = Object.fromEntries(found)
  const settings = checkSource({ values, placeOf: key => placeOf(key as Key) })
  return settings.data === undefined ? settings : { ...settings, data: resolve(cwd, settings.data) }
}

const numbers: ReadonlySet<Key> = new Set(['maxRunning', 'idleMinutes'])

/** Numbers come as text from here; what is none is left for the check to name. */
const valueOf = (key: Key, text: string): string | number =>
  numbers.has(key) && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
