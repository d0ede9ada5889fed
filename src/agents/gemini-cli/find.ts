import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { objectOf, presets, programPath, versionOf } from '../acp/index.ts'
import type { Readiness } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'

const { command, inherit, install, tested } = presets.gemini

/** Looks whether Gemini CLI is installed, which version it is, and whether a way to log in was chosen. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const path = await programPath(command, env)
  const version = path === null ? null : await versionOf(path, env, inherit)
  if (version === null) return { status: 'missing', version, advice: `Run: ${install}` }
  const advice = version.startsWith(`${tested}.`)
    ? null
    : `It was tested with version ${tested}; this is ${version}.`
  if (await hasLogin(env)) return { status: 'ready', version, advice }
  const login = 'Run "gemini" once and choose how to log in, or set GEMINI_API_KEY.'
  return { status: 'needs-login', version, advice: advice === null ? login : `${login} ${advice}` }
}

/** No secret is read: a key in the environment, or the name of the way that was chosen, is enough. */
async function hasLogin(env: NodeJS.ProcessEnv): Promise<boolean> {
  if (env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'] || env['GOOGLE_GENAI_USE_VERTEXAI'] === 'true')
    return true
  const folder = join(env['HOME'] ?? homedir(), '.gemini')
  const text = await readFile(join(folder, 'settings.json'), 'utf8').catch(() => '{}')
  const auth = objectOf(objectOf(objectOf(parseJson(text))['security'])['auth'])
  const isChosen = typeof auth['selectedType'] === 'string' && auth['selectedType'] !== 'gemini-api-key'
  return isChosen || existsSync(join(folder, 'oauth_creds.json'))
}
