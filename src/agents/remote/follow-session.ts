import { pause, type Persistence } from './persist.ts'
import { Lost, Refusal, whyLost } from './refusal.ts'
import type { ServiceEvent } from './read-events.ts'
import type { Service } from './service.ts'

/** The callbacks while a session is followed. */
export interface Follower extends Persistence {
  /** Gets each event once and in order. Returns whether it was the last. */
  readonly take: (event: ServiceEvent, number: number) => Promise<boolean>
  readonly onReturn: () => void
}

/**
 * Follows a session to its last event, over as many connections as needed. Throws a `Refusal` when the service no
 * longer has it, and `Lost` when the service cannot be reached for too long.
 */
export async function followSession(service: Service, session: string, follower: Follower): Promise<void> {
  const { patienceMs, signal, onTrouble, onReturn } = follower
  const reading = createReading(follower)
  let lostAt: number | null = null
  for (let attempt = 0; ; attempt += 1) {
    const before = reading.place
    let why = 'the connection ended'
    try {
      const events = await service.events(session, reading.place, signal)
      if (lostAt !== null) onReturn()
      lostAt = null
      if (await reading.read(events)) return
    } catch (error) {
      if (error instanceof Refusal || signal.aborted) throw error
      why = whyLost(error)
    }
    signal.throwIfAborted()
    if (lostAt === null) onTrouble?.(why)
    lostAt ??= performance.now()
    if (performance.now() - lostAt >= patienceMs) throw new Lost(why)
    if (reading.place > before) attempt = 0
    await pause(attempt, signal)
  }
}

function createReading({ take }: Follower) {
  const reading = {
    place: 0,
    /** Reads a stream to its end; returns whether that was the last event of the session. */
    async read(events: AsyncIterable<ServiceEvent>): Promise<boolean> {
      for await (const event of events) {
        const number = event.number ?? reading.place + 1
        // A repeated event counts once.
        if (number <= reading.place) continue
        // Missing events come when they are requested.
        if (number > reading.place + 1) return false
        reading.place = number
        if (await take(event, number)) return true
      }
      return false
    },
  }
  return reading
}
