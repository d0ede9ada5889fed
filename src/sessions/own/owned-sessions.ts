import { isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { claimSession } from './claim-session.ts'
import { closeLeftOver } from './close-connections.ts'
import type { Host } from '../host.ts'
import type { OwnedSession } from './owned-session.ts'
import { createSessionViews, type SessionViews, type Trouble } from '../view/session-view.ts'
import { createTasks } from './tasks.ts'
import { wait } from '../wait.ts'

/** The sessions that this process owns, because something is done with them at the moment. */
export interface OwnedSessions {
  readonly host: Host
  /** Views of these and of all other sessions. */
  readonly views: SessionViews
  /** A session that is owned here already, or about to be. */
  ownedHere(session: SessionId): Promise<OwnedSession> | undefined
  /** Does something with a session, claimed first if need be. */
  use<Result>(session: SessionId, work: (owned: OwnedSession) => Promise<Result>): Promise<Result>
  /** Claims a session, so that what a dead owner left running is closed. Retried until that could be saved. */
  takeOver(session: SessionId): Promise<void>
  all(): readonly OwnedSession[]
  /** The sessions whose events cannot be saved at the moment, or whose work broke off. */
  troubles(): readonly Trouble[]
  /** Resolves when nothing is being done any more. */
  done(): Promise<void>
  /** Resolves when the catalogue has all that is saved. */
  settled(): Promise<void>
}

interface Slot {
  readonly claiming: Promise<OwnedSession>
  owned: OwnedSession | null
  users: number
}

/** Why a session cannot be taken over, now or later. */
const lasting = ['unknown-session', 'session-damaged', 'not-owner'] as const

/** Claims a session when it is first used and releases it after the last use: there is never a second writer here. */
export function createOwnedSessions(host: Host): OwnedSessions {
  const slots = new Map<SessionId, Slot>()
  const tasks = createTasks(host.now)
  const settling = new Set<Promise<void>>()
  const releasing = new Map<SessionId, Promise<void>>()
  const slotHere = (session: SessionId): Slot | undefined => {
    const slot = slots.get(session)
    return slot?.owned?.lost.aborted === true ? undefined : slot
  }
  const ownedHere = (session: SessionId) => slotHere(session)?.claiming
  const views = createSessionViews(host, ownedHere)

  const claim = async (session: SessionId, spawn: OwnedSession['spawn']): Promise<OwnedSession> => {
    await releasing.get(session)
    await views.idle(session)
    return await claimSession(host, session, spawn)
  }
  const slotOf = (session: SessionId): Slot => {
    const known = slotHere(session)
    if (known !== undefined) return known
    const spawn = (work: () => Promise<void>) => void tasks.follow(session, useSlot(session, slot, work))
    const slot: Slot = { claiming: claim(session, spawn), owned: null, users: 0 }
    slots.set(session, slot)
    return slot
  }
  const use: OwnedSessions['use'] = (session, work) => useSlot(session, slotOf(session), work)
  const useSlot = async <Result>(
    session: SessionId,
    slot: Slot,
    work: (owned: OwnedSession) => Promise<Result>,
  ): Promise<Result> => {
    slot.users += 1
    try {
      slot.owned = await slot.claiming
      return await work(slot.owned)
    } finally {
      slot.users -= 1
      if (slot.users === 0) release(session, slot)
    }
  }
  const release = (session: SessionId, slot: Slot) => {
    const { owned } = slot
    if (slots.get(session) === slot) slots.delete(session)
    if (owned !== null) remember(settling, owned.record.settled())
    // Its agent is gone, and that could not be saved.
    if (owned !== null && closeLeftOver(owned.record.state).length > 0) void retry(session)
    if (owned?.lost.aborted === true) return
    const released = host.ownership.release(session).catch(() => {
      // Whoever holds the lease for us will find it unused, and let it lapse.
    })
    const done = released.finally(() => {
      if (releasing.get(session) === done) releasing.delete(session)
    })
    releasing.set(session, done)
  }
  const takeOver = (session: SessionId, pause?: number): Promise<void> =>
    tasks.follow(session, claimUnowned(session, pause))
  const claimUnowned = async (session: SessionId, pause?: number): Promise<void> => {
    try {
      const owner = await host.ownership.ownerOf(session)
      if (owner === null || owner.isHere) await use(session, async () => {})
    } catch (error) {
      if (!isDragomanError(error, ...lasting)) void retry(session, pause)
      throw error
    }
  }
  const retry = async (session: SessionId, pause = host.limits.retryMs): Promise<void> => {
    await wait(pause, host.stopping)
    if (!host.stopping.aborted) await takeOver(session, Math.min(pause * 2, host.limits.maxRetryMs))
  }
  const all = () => [...slots.values()].flatMap(({ owned }) => owned ?? [])

  return {
    host,
    views,
    ownedHere,
    use,
    takeOver: session => takeOver(session),
    all,
    troubles: () => [...tasks.faults(), ...all().flatMap(({ trouble }) => trouble ?? [])],
    done: () => tasks.done(),
    async settled() {
      await Promise.all([...settling, ...releasing.values(), ...all().map(({ record }) => record.settled())])
    },
  }
}

function remember(pending: Set<Promise<void>>, promise: Promise<void>): void {
  const done = promise.finally(() => pending.delete(done))
  pending.add(done)
}
