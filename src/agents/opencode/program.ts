import { agentEnvironment } from '../kit/environment.ts'
import type { Program } from '../kit/readiness.ts'

/** The program to start: the one on the PATH, unless the server's environment names another. */
export const programOf = (environment: NodeJS.ProcessEnv): Program => ({
  title: 'OpenCode',
  command: environment['DRAGOMAN_OPENCODE'] || 'opencode',
  env: agentEnvironment(environment, inheritedNames(environment)),
  tested: { from: '1.18.0', below: '1.20.0' },
  install: 'npm install -g opencode-ai',
  update: 'Run: opencode upgrade',
})

/**
 * Which of our environment variables OpenCode gets: its own settings, the keys of the models that it can use, proxies
 * and certificates.
 */
export function inheritedNames(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment).filter(
    name => name !== passwordName && (own.test(name) || keys.test(name) || network.test(name)),
  )
}

/** The variable with its server's password. */
export const passwordName = 'OPENCODE_SERVER_PASSWORD'

const own = /^OPENCODE_/
const keys =
  /^((ANTHROPIC|AZURE|CEREBRAS|COHERE|DEEPINFRA|DEEPSEEK|FIREWORKS|GEMINI|GOOGLE_GENERATIVE_AI|GROQ|MISTRAL|MOONSHOT|OPENAI|OPENROUTER|PERPLEXITY|TOGETHER|XAI|ZAI)_(API_KEY|BASE_URL)|AWS_\w+|GOOGLE_(APPLICATION_CREDENTIALS|CLOUD_PROJECT|VERTEX_\w+))$/
const network = /^((HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/
