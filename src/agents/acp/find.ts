import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { readinessOf, versionOf } from '../kit/readiness.ts'
import { presetNames, presets, type PresetName } from './presets.ts'

/** Looks which of the known agents are here, and which versions they are. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const looked = await Promise.all(presetNames.map(name => look(name, env)))
  const here = looked.filter(each => each !== null)
  if (here.length > 0)
    return { status: 'ready', version: null, advice: `Name one in the option "preset": ${here.join(', ')}.` }
  const advice = `None of the known agents is installed (${presetNames.join(', ')}). Install one, for example with "${presets.gemini.install}", or name the command of another in the option "command".`
  return { status: 'missing', version: null, advice }
}

/** The name of a preset, and what to say of its version; null when its program is not here. */
async function look(name: PresetName, env: NodeJS.ProcessEnv): Promise<string | null> {
  const { command, inherit, tested } = presets[name]
  const path = await programPath(command, env)
  if (path === null) return null
  const version = await versionOf(path, agentEnvironment(env, inherit))
  if (version === null) return `${name} (which does not tell its version)`
  const { age } = readinessOf({ version, isLoggedIn: null, tested, update: '', login: '' })
  const doubt = age === 'tested' ? '' : `, ${age} than what was tested`
  return `${name} (${version}${doubt})`
}

/** Where a program lies on the PATH; null when it is not there. */
export async function programPath(command: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, command)
    const isHere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isHere) return path
  }
  return null
}
