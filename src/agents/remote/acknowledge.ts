import { Refusal } from './refusal.ts'
import type { Service } from './service.ts'

/** Reports our position to a service from time to time, so that it can drop what we have. */
export interface Acknowledging {
  reached(number: number, bytes: number): void
  /** Reports the last position, now. */
  end(): void
}

const everyBytes = 256 * 1024
const everyMs = 500
const mostFailures = 20

/**
 * Acknowledges the events of one session. Events without an acknowledgement fill the service until the program has to
 * wait, so a lost acknowledgement is sent again.
 */
export function acknowledging(service: Service, session: string): Acknowledging {
  let place = 0
  let acknowledged = 0
  let bytes = 0
  let failures = 0
  let timer: NodeJS.Timeout | null = null
  const sendLater = () => void (timer ??= setTimeout(send, everyMs).unref())
  const send = () => {
    if (timer) clearTimeout(timer)
    timer = null
    bytes = 0
    if (acknowledged === place) return
    const before = acknowledged
    acknowledged = place
    service.call('POST', `/v1/sessions/${session}/acknowledged/${place}`).catch((error: unknown) => {
      failures += 1
      if (failures > mostFailures || error instanceof Refusal) return
      acknowledged = Math.min(acknowledged, before)
      sendLater()
    })
  }
  return {
    reached(number, size) {
      place = number
      failures = 0
      bytes += size
      if (bytes > everyBytes) send()
      else sendLater()
    },
    end: send,
  }
}
