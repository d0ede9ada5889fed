import type { Readiness } from '../agent.ts'
import { agentEnvironment } from '../kit/environment.ts'
import { missing, readinessOf, versionOf } from '../kit/readiness.ts'
import { inheritedNames, installAdvice, programOf } from './program.ts'

const tested = { from: '1.18.0', below: '1.20.0' }

/** Looks whether OpenCode is installed and which one it is. It has models that need no login, so none is asked for. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const version = await versionOf(programOf(env), agentEnvironment(env, inheritedNames(env)))
  if (version === null) return missing(installAdvice)
  return readinessOf({ version, isLoggedIn: null, tested, update: 'Run: opencode upgrade', login: '' })
}
