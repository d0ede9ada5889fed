import type { Readiness } from '../agent.ts'
import { findKey } from './keys.ts'
import { providerNames, providers } from './providers.ts'
import type { Settings } from './settings.ts'

const keyless = { status: 'needs-login', isLoggedIn: false, lacks: 'key' } as const

/** Looks whether there is a key for a configured model. The key is not tried: that could cost something. */
export async function findModel(
  settings: Settings,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Readiness> {
  const found = await findKey(settings, env)
  if (found.type === 'missing') return { ...keyless, version: settings.model, advice: found.advice }
  const login = found.type === 'key' ? { isLoggedIn: true } : {}
  return { status: 'ready', version: settings.model, ...login, advice: null }
}

/** Looks for which services there are keys. */
export async function find(env: NodeJS.ProcessEnv = process.env): Promise<Readiness> {
  const here = providerNames.filter(name => {
    const { keyName } = providers[name]
    return keyName !== null && (env[keyName] ?? '') !== ''
  })
  const local = 'Using a local model? Set provider "openai-compatible" and baseUrl.'
  if (here.length > 0)
    return {
      status: 'ready',
      version: null,
      advice: `Choose one with the option "provider": ${here.join(', ')}. ${local}`,
    }
  const names = providerNames.flatMap(name => providers[name].keyName ?? [])
  const advice = `No API key found. Set one of the environment variables ${names.join(', ')}. ${local}`
  return { ...keyless, version: null, advice }
}
