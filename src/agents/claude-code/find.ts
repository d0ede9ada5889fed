import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { parseJson } from '../kit/parse-json.ts'
import { wordsOf } from './messages.ts'
import { inheritedNames, installAdvice, programOf } from './program.ts'

const run = promisify(execFile)
const patience = 10_000

/** The versions that were tried: older ones lack what we ask for, newer ones are not known yet. */
const tested = { from: [2, 1, 300], below: [2, 2, 0] } as const
const testedText = '2.1.300 up to, but not including, 2.2'

/** Looks whether Claude Code is installed, which version it is, and, as far as it says itself, whether it is logged in. */
export async function find(environment: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const [version, isLoggedIn] = await Promise.all([
    printed(environment, ['--version']),
    printed(environment, ['auth', 'status']).then(loggedIn),
  ])
  if (version === null) return { status: 'missing', version: null, advice: installAdvice }
  const number = /\d+\.\d+\.\d+/.exec(version)?.[0] ?? null
  if (isLoggedIn === false)
    return { status: 'needs-login', version: number, advice: 'Run: claude auth login' }
  return { status: 'ready', version: number, advice: adviceFor(number) }
}

/** What it prints; null when it cannot be run. It is asked nothing that needs the network. */
async function printed(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<string | null> {
  try {
    const env = agentEnvironment(environment, inheritedNames(environment))
    const { stdout } = await run(programOf(environment), args, { env, timeout: patience })
    return stdout
  } catch (error) {
    // Whoever is not logged in is told so with an exit code, and still in words.
    return textOn(error)
  }
}

function textOn(error: unknown): string | null {
  const { stdout, code } = error as { readonly stdout?: unknown; readonly code?: unknown }
  return typeof code === 'number' && typeof stdout === 'string' && stdout !== '' ? stdout : null
}

function loggedIn(status: string | null): boolean | null {
  const told = wordsOf(parseJson(status ?? ''))?.['loggedIn']
  return typeof told === 'boolean' ? told : null
}

function adviceFor(version: string | null): string | null {
  if (version === null) return null
  const numbers = version.split('.').map(Number)
  if (isBefore(numbers, tested.from))
    return `It is older than what was tested (${testedText}). Run: claude update`
  if (!isBefore(numbers, tested.below)) return `It is newer than what was tested (${testedText}).`
  return null
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = other.findIndex((number, index) => (one[index] ?? 0) !== number)
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}
