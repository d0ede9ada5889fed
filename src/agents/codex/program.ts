/** What to start: the program on the PATH, unless whoever runs the server names another. */
export const programOf = (environment: NodeJS.ProcessEnv): string => environment['DRAGOMAN_CODEX'] || 'codex'

/** What to do when it is not there. */
export const installAdvice = 'Install it: npm install -g @openai/codex'

/** Which of our environment variables Codex may know: its own settings and keys, proxies and certificates. */
export function inheritedNames(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment).filter(name => own.test(name) || network.test(name))
}

const own = /^(CODEX|OPENAI|AZURE_OPENAI)_/
const network = /^((HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR))$/
