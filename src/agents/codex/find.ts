import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { missing, readinessOf, versionOf } from '../kit/readiness.ts'
import { inheritedNames, installAdvice, programOf } from './program.ts'

const tested = { from: '0.166.0', below: '0.167.0' }

/** Looks whether Codex is installed and which one it is, and whether someone logged in, without opening what it keeps. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const version = await versionOf(programOf(env), agentEnvironment(env, inheritedNames(env)))
  if (version === null) return missing(installAdvice)
  return readinessOf({
    version,
    isLoggedIn: hasLogin(env),
    tested,
    update: `${installAdvice}@latest`,
    login:
      'Run "codex login", or set CODEX_API_KEY. A provider of your own in its config file needs neither.',
  })
}

function hasLogin(env: NodeJS.ProcessEnv): boolean {
  const folder = env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex')
  const hasKey = Boolean(env['CODEX_API_KEY'] ?? env['OPENAI_API_KEY'])
  return hasKey || existsSync(join(folder, 'auth.json'))
}
