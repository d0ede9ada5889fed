import { Refusal } from './refusal.ts'
import type { Service } from './service.ts'

/** Tells a service now and then how far we are, so that it can forget what we have. */
export interface Acknowledging {
  reached(number: number, bytes: number): void
  /** Tells the last place, now. */
  end(): void
}

const everyBytes = 256 * 1024
const everyMs = 500
const mostFailures = 20

/**
 * Acknowledges the events of one session. What is not acknowledged fills the service until the program has to wait; so a word
 * that was lost is said again.
 */
export function acknowledging(service: Service, session: string): Acknowledging {
  let place = 0
  let told = 0
  let bytes = 0
  let failures = 0
  let timer: NodeJS.Timeout | null = null
  const tellLater = () => void (timer ??= setTimeout(tell, everyMs).unref())
  const tell = () => {
    if (timer) clearTimeout(timer)
    timer = null
    bytes = 0
    if (told === place) return
    const before = told
    told = place
    service.call('POST', `/v1/sessions/${session}/acknowledged/${place}`).catch((error: unknown) => {
      failures += 1
      if (failures > mostFailures || error instanceof Refusal) return
      told = Math.min(told, before)
      tellLater()
    })
  }
  return {
    reached(number, size) {
      place = number
      failures = 0
      bytes += size
      if (bytes > everyBytes) tell()
      else tellLater()
    },
    end: tell,
  }
}
