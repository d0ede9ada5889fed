import type { Json } from '../../protocol/json.ts'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { programPath } from '../kit/program-path.ts'
import { brokenWords, lookAt, readinessOf, type Look, type Program } from '../kit/readiness.ts'
import { isObject } from './messages.ts'
import { readSettings, type Settings } from './options.ts'
import { presetNames, presets, type PresetName } from './presets.ts'

/** Looks for the agent that the session's options name; without one, for all known agents. */
export async function findNamed(options?: Json, env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  if (!isObject(options) || (options['command'] ?? options['preset']) === undefined) return find(env)
  const settings = settingsIn(options)
  if (typeof settings === 'string') return { status: 'broken', version: null, advice: settings }
  const { title, command, tested, install } = settings
  const known = { ...agentEnvironment(env, settings.inherit), ...settings.env }
  const program = { title, command, env: known, tested, install, update: `Run: ${install}@latest` }
  // An unknown command may do anything when it is asked for its version.
  const look = install === null ? await lookFor(program) : await lookAt(program)
  return readinessOf(program, look, { isLoggedIn: null, login: '' })
}

/** The parsed options, or the error message about them. */
function settingsIn(options: Json): Settings | string {
  try {
    return readSettings(options)
  } catch (error) {
    return (error as Error).message
  }
}

/** Looks whether a program is installed, and starts nothing. */
const lookFor = async ({ command, env }: Program): Promise<Look> =>
  (await programPath(command, env)) === null ? { type: 'missing' } : { type: 'there', version: null }

/** Reports which known agents are installed, their versions, and which of them cannot be run. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const all = await Promise.all(
    presetNames.map(async name => ({ name, look: await lookAt(programOf(name, env)) })),
  )
  const namesOf = (type: Look['type']) =>
    all.flatMap(({ name, look }) => (look.type === type ? describeLook(name, look, env) : []))
  const [usable, broken] = [namesOf('there'), namesOf('broken')]
  const named = usable.length === 0 ? [] : [`Choose one with the option "preset": ${usable.join(', ')}.`]
  if (usable.length > 0) return { status: 'ready', version: null, advice: [...named, ...broken].join(' ') }
  const other = 'or set the command of another agent in the option "command".'
  if (broken.length > 0)
    return { status: 'broken', version: null, advice: `${broken.join(' ')} Repair it, ${other}` }
  const advice = `None of the known agents is installed (${presetNames.join(', ')}). Install one, for example with "${presets.gemini.install}", ${other}`
  return { status: 'missing', version: null, advice }
}

/** The program of a preset. */
export function programOf(name: PresetName, env: NodeJS.ProcessEnv): Program {
  const { title, command, inherit, tested, install } = presets[name]
  const update = `Run: ${install}@latest`
  return { title, command, env: agentEnvironment(env, inherit), tested, install, update }
}

/** The name of a preset, and the message about its program. */
function describeLook(name: PresetName, look: Look, env: NodeJS.ProcessEnv): string {
  if (look.type === 'missing') return name
  if (look.type === 'broken') return `${name}: ${brokenWords(look)}`
  if (look.version === null) return `${name} (version unknown)`
  const { age } = readinessOf(programOf(name, env), look, { isLoggedIn: null, login: '' })
  const doubt = age === 'tested' ? '' : `, ${age} than the tested versions`
  return `${name} (${look.version}${doubt})`
}
