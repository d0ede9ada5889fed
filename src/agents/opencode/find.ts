import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { inheritedNames, installAdvice, programOf } from './program.ts'

const run = promisify(execFile)
/** The releases that were tried: a major number, and minor ones from and to. */
const tested = [1, 18, 19] as const
const patience = 15_000

/** Looks whether OpenCode is installed and which one it is. It has models that need no login, so none is asked for. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const version = await versionOf(env)
  if (version === null) return { status: 'missing', version, advice: installAdvice }
  return { status: 'ready', version, advice: adviceOn(version) }
}

async function versionOf(env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const known = agentEnvironment(env, inheritedNames(env))
    const { stdout } = await run(programOf(env), ['--version'], { env: known, timeout: patience })
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null
  } catch {
    // Not there, or not to be run: to us that is the same.
    return null
  }
}

function adviceOn(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [known, from, to] = tested
  const range = `${known}.${from} to ${known}.${to}`
  if (major < known || (major === known && minor < from))
    return `It is older than what was tested (${range}). Run: opencode upgrade`
  if (major > known || minor > to) return `It is newer than what was tested (${range}).`
  return null
}
