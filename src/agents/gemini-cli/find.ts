import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { objectOf, programOf } from '../acp/index.ts'
import type { Readiness } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { lookAt, readinessOf } from '../kit/readiness.ts'

/** Checks whether Gemini CLI is installed, which version it is, and whether a login method was chosen. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const program = programOf('gemini', env)
  return readinessOf(program, await lookAt(program), {
    isLoggedIn: await hasLogin(env),
    login: 'Run "gemini" once and choose how to log in, or set GEMINI_API_KEY.',
  })
}

/** No secret is read: a key in the environment, or the name of the login method, is enough. */
async function hasLogin(env: NodeJS.ProcessEnv): Promise<boolean> {
  if (env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'] || env['GOOGLE_GENAI_USE_VERTEXAI'] === 'true')
    return true
  const folder = join(env['HOME'] ?? homedir(), '.gemini')
  const text = await readFile(join(folder, 'settings.json'), 'utf8').catch(() => '{}')
  const auth = objectOf(objectOf(objectOf(parseJson(text))['security'])['auth'])
  const isChosen = typeof auth['selectedType'] === 'string' && auth['selectedType'] !== 'gemini-api-key'
  return isChosen || existsSync(join(folder, 'oauth_creds.json'))
}
