import type { Readiness } from '../agent.ts'
import { findKey } from './keys.ts'
import { providerNames, providers } from './providers.ts'
import type { Settings } from './settings.ts'

const keyless = { status: 'needs-login', isLoggedIn: false, lacks: 'key' } as const

/** Looks whether there is a key for a model that is configured. The key is not tried: that could cost something. */
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
  const local =
    'A local model needs none: name its address in "baseUrl" and "openai-compatible" in "provider".'
  if (here.length > 0)
    return {
      status: 'ready',
      version: null,
      advice: `Name one in the option "provider": ${here.join(', ')}. ${local}`,
    }
  const names = providerNames.flatMap(name => providers[name].keyName ?? [])
  const advice = `There is no key of a service: put one into the environment variable ${names.join(', ')}. ${local}`
  return { ...keyless, version: null, advice }
}
