import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { presetNames, presets } from './presets.ts'

/** Looks which of the known agents are here. Nothing is started for that. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const looked = await Promise.all(
    presetNames.map(async name => ((await programPath(presets[name].command, env)) === null ? [] : [name])),
  )
  const here = looked.flat()
  if (here.length > 0)
    return { status: 'ready', version: null, advice: `Name one in the option "preset": ${here.join(', ')}.` }
  const advice = `None of the known agents is installed (${presetNames.join(', ')}). Install one, for example with "${presets.gemini.install}", or name the command of another in the option "command".`
  return { status: 'missing', version: null, advice }
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

const run = promisify(execFile)
const patience = 15_000

/** The version that a program tells of itself; null when it cannot be run. */
export async function versionOf(
  command: string,
  env: NodeJS.ProcessEnv,
  inherit: readonly string[],
): Promise<string | null> {
  try {
    const { stdout } = await run(command, ['--version'], {
      env: agentEnvironment(env, inherit),
      timeout: patience,
    })
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null
  } catch {
    // Not there, or not to be run: to us that is the same.
    return null
  }
}
