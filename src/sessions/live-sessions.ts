import type { SessionId } from '../protocol/ids.ts'
import type { Host } from './host.ts'
import type { Trouble } from './keep.ts'
import type { LiveSession } from './live-session.ts'
import { openSession } from './open-session.ts'
import { createTasks } from './tasks.ts'

/** The sessions that something is done with at the moment. */
export interface LiveSessions {
  readonly host: Host
  /** Does something with a session, opened from the journal if need be. */
  use<Result>(session: SessionId, work: (live: LiveSession) => Promise<Result>): Promise<Result>
  /** The same as a task of its own: a failure becomes a trouble of the session. */
  attempt(session: SessionId, work: (live: LiveSession) => Promise<void>): Promise<void>
  all(): readonly LiveSession[]
  /** The sessions whose words cannot be saved at the moment, or whose work broke off. */
  troubles(): readonly Trouble[]
  /** Resolves when nothing is being done any more. */
  done(): Promise<void>
  /** Resolves when the catalogue has been told all that is saved. */
  settled(): Promise<void>
}

interface Slot {
  readonly opening: Promise<LiveSession>
  live: LiveSession | null
  users: number
}

/** Opens a session when it is first used and lets go of it after the last use: there is never a second writer. */
export function createLiveSessions(host: Host): LiveSessions {
  const slots = new Map<SessionId, Slot>()
  const tasks = createTasks(host.now)
  const shelving = new Set<Promise<void>>()

  const slotOf = (session: SessionId): Slot => {
    const spawn = (work: () => Promise<void>) => void tasks.follow(session, use(session, work))
    const slot = slots.get(session) ?? { opening: openSession(host, session, spawn), live: null, users: 0 }
    slots.set(session, slot)
    return slot
  }
  const use: LiveSessions['use'] = async (session, work) => {
    const slot = slotOf(session)
    slot.users += 1
    try {
      slot.live = await slot.opening
      return await work(slot.live)
    } finally {
      slot.users -= 1
      if (slot.users === 0) release(session, slot)
    }
  }
  const release = (session: SessionId, { live }: Slot) => {
    slots.delete(session)
    if (live !== null) shelve(shelving, live.line.settled())
  }
  const all = () => [...slots.values()].flatMap(({ live }) => live ?? [])

  return {
    host,
    use,
    attempt: (session, work) => tasks.follow(session, use(session, work)),
    all,
    troubles: () => [...tasks.faults(), ...all().flatMap(({ keeper }) => keeper.trouble ?? [])],
    done: () => tasks.done(),
    async settled() {
      await Promise.all([...shelving, ...all().map(({ line }) => line.settled())])
    },
  }
}

function shelve(shelving: Set<Promise<void>>, settled: Promise<void>): void {
  const shelved = settled.finally(() => shelving.delete(shelved))
  shelving.add(shelved)
}
