import { agentEnvironment } from '../kit/environment.ts'
import type { Program } from '../kit/readiness.ts'

/** The program to start: the one on the PATH, unless the environment of the server names another. */
export const programOf = (environment: NodeJS.ProcessEnv): Program => ({
  title: 'Codex',
  command: environment['DRAGOMAN_CODEX'] || 'codex',
  env: agentEnvironment(environment, inheritedNames(environment)),
  tested: { from: '0.166.0', below: '0.170.0' },
  install: 'npm install -g @openai/codex',
  update: 'Run: npm install -g @openai/codex@latest',
})

/** The environment variables that Codex inherits: its own settings and keys, proxies and certificates. */
export function inheritedNames(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment).filter(name => own.test(name) || network.test(name))
}

const own = /^(CODEX|OPENAI|AZURE_OPENAI)_/
const network = /^((HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR))$/
