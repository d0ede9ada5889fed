import type { Readiness } from '../agent.ts'
import { askProgram } from '../kit/ask-program.ts'
import { parseJson } from '../kit/parse-json.ts'
import { lookAt, readinessOf, type Program } from '../kit/readiness.ts'
import { wordsOf } from './messages.ts'
import { programOf } from './program.ts'

/** Looks whether Claude Code is installed, which version it is, and, as far as it says itself, whether it is logged in. */
export async function find(environment: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const program = programOf(environment)
  const [look, isLoggedIn] = await Promise.all([lookAt(program), askLogin(program)])
  return readinessOf(program, look, { isLoggedIn, login: 'Run: claude auth login' })
}

/** It is asked nothing that needs the network. Whoever is not logged in is told so with an exit code, and still in words. */
async function askLogin({ command, env }: Program): Promise<boolean | null> {
  const asked = await askProgram(command, ['auth', 'status'], env)
  const told = asked.type === 'answered' ? wordsOf(parseJson(asked.out))?.['loggedIn'] : null
  return typeof told === 'boolean' ? told : null
}
