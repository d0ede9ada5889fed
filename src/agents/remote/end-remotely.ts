import { asObject } from '../../protocol/json.ts'
import type { Exit } from '../agent.ts'
import { objectOf, textOrNull } from '../kit/fields.ts'
import { persist } from './persist.ts'
import type { Service } from './service.ts'

const defaultGraceMs = 2_000
const patienceMs = 3_000

/** Has a service end a program and all that it started, and says how it ended; null when the service could not be told. */
export async function endRemotely(
  service: Service,
  session: string,
  graceMs = defaultGraceMs,
): Promise<Exit | null> {
  const path = `/v1/sessions/${session}?grace=${graceMs / 1000}`
  try {
    const signal = AbortSignal.timeout(patienceMs + 2 * graceMs)
    const told = await persist(() => service.call('DELETE', path, { signal }), { patienceMs, signal })
    const exit = objectOf(asObject(told), 'exit')
    const { code } = exit
    return {
      code: typeof code === 'number' ? code : null,
      signal: textOrNull(exit, 'signal'),
      reason: textOrNull(exit, 'reason'),
    }
  } catch {
    // It ends the program by itself when nobody reads it any more.
    return null
  }
}
