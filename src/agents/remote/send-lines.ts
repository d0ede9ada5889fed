import { persist, type Persistence } from './persist.ts'
import type { Service } from './service.ts'

/**
 * Makes a function that sends lines to a program, in order and exactly once: each line has a number, and the service
 * accepts each number once, however often it is sent.
 */
export function createSender(
  service: Service,
  session: string,
  started: Promise<unknown>,
  persistence: Persistence,
): (line: string) => Promise<void> {
  let taken = 0
  let sent: Promise<unknown> = Promise.resolve()
  const send = async (body: string) => {
    await started
    const path = `/v1/sessions/${session}/lines/${taken + 1}`
    const { signal } = persistence
    await persist(() => service.call('POST', path, { body, signal }), persistence)
    taken += 1
  }
  return line => {
    const sending = sent.then(() => send(line))
    // A refused line leaves its number to the next.
    sent = sending.catch(() => undefined)
    return sending
  }
}
