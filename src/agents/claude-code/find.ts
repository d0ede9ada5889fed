import type { Readiness } from '../agent.ts'
import { askProgram } from '../kit/ask-program.ts'
import { parseJson } from '../kit/parse-json.ts'
import { lookAt, readinessOf, type Program } from '../kit/readiness.ts'
import { fieldsOf } from './messages.ts'
import { programOf } from './program.ts'

/** Looks whether Claude Code is installed, which version it is, and whether it reports a login. */
export async function find(environment: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const program = programOf(environment)
  const [look, isLoggedIn] = await Promise.all([lookAt(program), askLogin(program)])
  return readinessOf(program, look, { isLoggedIn, login: 'Run: claude auth login' })
}

/**
 * Only questions without network access are asked. Without a login it exits with a code, and still prints its answer.
 */
async function askLogin({ command, env }: Program): Promise<boolean | null> {
  const asked = await askProgram(command, ['auth', 'status'], env)
  const seen = asked.type === 'answered' ? fieldsOf(parseJson(asked.out))?.['loggedIn'] : null
  return typeof seen === 'boolean' ? seen : null
}
