import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { redact } from '../../protocol/redact.ts'
import { providers } from './providers.ts'
import type { Settings } from './settings.ts'

/** A key, or why there is none. */
export type FoundKey =
  | { readonly type: 'key'; readonly key: string; readonly from: string }
  /** A service that may need no key. */
  | { readonly type: 'none' }
  | { readonly type: 'missing'; readonly advice: string }

type Place = Pick<Settings, 'provider' | 'keyName' | 'keyFile'>

/** Looks for the key of a service: in the named file, or in the environment. It is never stored. */
export async function findKey(place: Place, env: NodeJS.ProcessEnv = process.env): Promise<FoundKey> {
  if (place.keyFile !== null) return fromFile(place.keyFile)
  const { keyName, provider } = place
  if (keyName === null) return { type: 'none' }
  const key = env[keyName]?.trim() ?? ''
  if (key !== '') return { type: 'key', key, from: keyName }
  const advice = `Set the environment variable ${keyName}, or set the option "keyFile" to a file that contains the key. ${providers[provider].keyAdvice}`
  return { type: 'missing', advice: advice.trim() }
}

const longest = 16 * 1024
const readableByOthers = 0o077

async function fromFile(named: string): Promise<FoundKey> {
  const path = named.startsWith('~/') ? join(homedir(), named.slice(2)) : named
  try {
    const { mode, size } = await stat(path)
    if ((mode & readableByOthers) !== 0)
      return missing(`Other users can read ${path}, which contains an API key. Run: chmod 600 ${path}`)
    if (size > longest) return missing(`${path} is too long. It must contain only the key.`)
    const key = (await readFile(path, 'utf8')).trim()
    if (key === '' || /\s/.test(key)) return missing(`${path} must contain the key and nothing else.`)
    return { type: 'key', key, from: path }
  } catch (error) {
    return missing(`Cannot read the key file ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** A user may have put the key itself where its file should be named. */
const missing = (advice: string): FoundKey => ({ type: 'missing', advice: redact(advice) })

/** Removes a key, and what services show of one, from a text. */
export function withoutKey(text: string, key: string | null): string {
  const hidden = key === null || key.length < 4 ? text : text.replaceAll(key, '[key]')
  return hidden.replaceAll(/\b(sk|key|AIza)[-\w]*\*{3,}[-*\w]*/g, '[key]')
}
