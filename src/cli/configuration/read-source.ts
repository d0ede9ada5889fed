import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, resolve } from 'node:path'
import { parseWithoutMark } from '../parse-without-mark.ts'
import type { StrategySettings } from '../../sessions/strategies/configure-strategies.ts'
import { checkSource, refusal } from './check.ts'
import { keys, type AgentSettings, type Configuration, type Key } from './keys.ts'

/** Reads settings from a file. A relative path in it starts at the file's folder. */
export function readFile(path: string, mayBeMissing: boolean): Partial<Configuration> {
  const text = readText(path, mayBeMissing)
  if (text === undefined) return {}
  return resolvePaths(checkSource({ values: parse(path, text), placeOf: () => path }), dirname(path))
}

function readText(path: string, mayBeMissing: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (mayBeMissing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    throw refusal(`Cannot read the settings in ${path}: ${message}.`)
  }
}

function parse(path: string, text: string): unknown {
  try {
    return parseWithoutMark(text)
  } catch (error) {
    // The parser's message repeats a piece of the file, which may be a token.
    const [, place] = /(\(line \d+ column \d+\))/.exec((error as Error).message) ?? []
    throw refusal(`The settings in ${path} are not valid JSON${place === undefined ? '' : ` ${place}`}.`)
  }
}

/** The text of a setting: given once, several times, or not at all. */
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

/** Parses a text. The check reports an invalid one. */
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

/** Reads `name=value` pairs. The check reports a name without a value. */
const pairsOf = (pairs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )

/** Makes all paths absolute. A relative path starts at the folder of its source. */
function resolvePaths(settings: Partial<Configuration>, base: string): Partial<Configuration> {
  const { data, roots, agents, strategies } = settings
  return {
    ...settings,
    ...(data !== undefined && { data: resolve(base, data) }),
    ...(roots && { roots: roots.map(root => resolve(base, root)) }),
    ...(agents && { agents: resolveTokens(agents, base) }),
    ...(strategies && { strategies: strategies.map(each => withModules(each, base)) }),
  }
}

function resolveTokens(agents: Configuration['agents'], base: string): Configuration['agents'] {
  const whole = (agent: AgentSettings): AgentSettings => {
    if (agent.kind === 'wrong') return agent
    if (agent.kind === 'model')
      return agent.keyFile === undefined ? agent : { ...agent, keyFile: wholePath(base, agent.keyFile) }
    return 'file' in agent.token ? { ...agent, token: { file: wholePath(base, agent.token.file) } } : agent
  }
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, whole(agent)]))
}

const withModules = (strategy: StrategySettings, base: string): StrategySettings => ({
  ...strategy,
  ...(strategy.custom !== undefined && { custom: wholePath(base, strategy.custom) }),
  ...(strategy.optimise !== undefined && { optimise: wholePath(base, strategy.optimise) }),
})

/** Expands `~/`, because tokens are often stored in the home folder. */
const wholePath = (base: string, path: string) => resolve(base, path.replace(/^~(?=\/)/, homedir()))
