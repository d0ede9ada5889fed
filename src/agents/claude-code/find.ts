import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { parseJson } from '../kit/parse-json.ts'
import { missing, readinessOf, versionIn } from '../kit/readiness.ts'
import { wordsOf } from './messages.ts'
import { inheritedNames, installAdvice, programOf } from './program.ts'

const run = promisify(execFile)
const patience = 10_000

const tested = { from: '2.1.300', below: '2.2.0' }

/** Looks whether Claude Code is installed, which version it is, and, as far as it says itself, whether it is logged in. */
export async function find(environment: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const [version, isLoggedIn] = await Promise.all([
    printed(environment, ['--version']),
    printed(environment, ['auth', 'status']).then(loggedIn),
  ])
  if (version === null) return missing(installAdvice)
  return readinessOf({
    version: versionIn(version),
    isLoggedIn,
    tested,
    update: 'Run: claude update',
    login: 'Run: claude auth login',
  })
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
