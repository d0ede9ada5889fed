import type { Readiness } from '../agent.ts'
import { lookAt, readinessOf } from '../kit/readiness.ts'
import { programOf } from './program.ts'

/**
 * Looks whether OpenCode is installed and which version it is. Some of its models need no login, so none is required.
 */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const program = programOf(env)
  return readinessOf(program, await lookAt(program), { isLoggedIn: null, login: '' })
}
