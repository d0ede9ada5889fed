import { agentEnvironment } from '../kit/environment.ts'
import type { Program } from '../kit/readiness.ts'

/** The program to start: the one on the PATH, unless the server's environment names another. */
export const programOf = (environment: NodeJS.ProcessEnv): Program => ({
  title: 'Claude Code',
  command: environment['DRAGOMAN_CLAUDE_CODE'] || 'claude',
  env: agentEnvironment(environment, inheritedNames(environment)),
  tested: { from: '2.1.300', below: '2.2.0' },
  install: 'npm install -g @anthropic-ai/claude-code',
  update: 'Run: claude update',
})

/**
 * Which of our environment variables Claude Code gets: its own settings and keys, proxies and certificates, and the
 * clouds that it is set up for. Variables of a Claude Code that we may run inside of are not passed on.
 */
export function inheritedNames(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment).filter(
    name =>
      !marks.has(name) &&
      (own.test(name) ||
        network.test(name) ||
        (isOn(environment['CLAUDE_CODE_USE_BEDROCK']) && name.startsWith('AWS_')) ||
        (isOn(environment['CLAUDE_CODE_USE_VERTEX']) && vertex.test(name))),
  )
}

const own = /^(ANTHROPIC|CLAUDE|DISABLE|ENABLE|BASH|MCP|MAX)_/
const network = /^(HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/
const vertex = /^(GOOGLE|GCLOUD|CLOUD_ML|VERTEX)_/
const marks: ReadonlySet<string> = new Set([
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_CHILD_SESSION',
])

const isOn = (value: string | undefined) => value !== undefined && value !== '' && value !== '0'
