import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Readiness } from '../agent.ts'
import { lookAt, readinessOf } from '../kit/readiness.ts'
import { programOf } from './program.ts'

/** Checks whether Codex is installed, which version it is, and whether a user is logged in, without opening its files. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const program = programOf(env)
  return readinessOf(program, await lookAt(program), {
    isLoggedIn: hasLogin(env),
    login: 'Run "codex login", or set CODEX_API_KEY. A custom provider in its config file needs neither.',
  })
}

function hasLogin(env: NodeJS.ProcessEnv): boolean {
  const folder = env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex')
  const hasKey = Boolean(env['CODEX_API_KEY'] ?? env['OPENAI_API_KEY'])
  return hasKey || existsSync(join(folder, 'auth.json'))
}
