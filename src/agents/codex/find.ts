import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { inheritedNames, installAdvice, programOf } from './program.ts'

const run = promisify(execFile)
/** The releases that were tried: a major number, and minor ones from and to. */
const tested = [0, 166, 166] as const
const versionMs = 10_000

/** Looks whether Codex is installed and which one it is, and whether someone logged in, without opening what it keeps. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const version = await versionOf(env)
  if (version === null) return { status: 'missing', version, advice: installAdvice }
  const advice = adviceOn(version)
  if (hasLogin(env)) return { status: 'ready', version, advice }
  const login =
    'Run "codex login", or set CODEX_API_KEY. A provider of your own in its config file needs neither.'
  return { status: 'needs-login', version, advice: advice === null ? login : `${login} ${advice}` }
}

async function versionOf(env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const known = agentEnvironment(env, inheritedNames(env))
    const { stdout } = await run(programOf(env), ['--version'], { env: known, timeout: versionMs })
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null
  } catch {
    // Not there, or not to be run: to us that is the same.
    return null
  }
}

function adviceOn(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [known, from, to] = tested
  if (major < known || (major === known && minor < from))
    return `It is older than what was tested (${known}.${from} to ${known}.${to}). ${installAdvice}@latest`
  if (major > known || minor > to)
    return `It is newer than what was tested (${known}.${from} to ${known}.${to}).`
  return null
}

function hasLogin(env: NodeJS.ProcessEnv): boolean {
  const folder = env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex')
  const hasKey = Boolean(env['CODEX_API_KEY'] ?? env['OPENAI_API_KEY'])
  return hasKey || existsSync(join(folder, 'auth.json'))
}
