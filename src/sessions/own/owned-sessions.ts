import { isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { claimSession } from './claim-session.ts'
import { eventsClosingLeftOver } from './close-connections.ts'
import type { Host } from '../host.ts'
import type { OwnedSession } from './owned-session.ts'
import { troubleOf } from './session-writer.ts'
import { createSessionViews, type SessionViews, type Trouble } from '../view/session-view.ts'
import { wait } from '../wait.ts'

/** The sessions that this process owns, because it works on them at the moment. */
export interface OwnedSessions {
  readonly host: Host
  /** Views of these and of all other sessions. */
  readonly views: SessionViews
  /** A session that this process owns or is about to own. */
  ownedHere(session: SessionId): Promise<OwnedSession> | undefined
  /** Does some work on a session, which is claimed first if need be. */
  use<Result>(session: SessionId, work: (owned: OwnedSession) => Promise<Result>): Promise<Result>
  /**
   * Claims sessions that may have been at work when the last server died, so that what it left running is closed. It is retried until
   * that is saved. A session that cannot be claimed does not stop the others.
   */
  recover(sessions: Iterable<SessionId>): Promise<void>
  all(): readonly OwnedSession[]
  /** The sessions whose events cannot be saved at the moment, or whose work failed. */
  troubles(): readonly Trouble[]
  /** Resolves when no work is left. */
  done(): Promise<void>
  /** Releases every session that is still owned, even if work there never ends, so that other nodes can claim them. */
  releaseAll(): void
  /** Resolves when the catalogue has all that is saved. */
  settled(): Promise<void>
}

/** A session that is claimed here, or about to be, and how many uses it has. */
interface Claim {
  readonly claiming: Promise<OwnedSession>
  owned: OwnedSession | null
  users: number
}

const recoveredAtOnce = 32

/** The errors of a claim that a retry cannot help. */
const lasting = ['unknown-session', 'session-damaged', 'not-owner'] as const

/** Claims a session when it is first used and releases it after the last use: there is never a second writer here. */
export function createOwnedSessions(host: Host): OwnedSessions {
  const claims = new Map<SessionId, Claim>()
  const tasks = createTasks(host.now)
  const settling = new Set<Promise<void>>()
  const releasing = new Map<SessionId, Promise<void>>()
  const claimHere = (session: SessionId): Claim | undefined => {
    const claim = claims.get(session)
    return claim?.owned?.lost.aborted === true ? undefined : claim
  }
  const ownedHere = (session: SessionId) => claimHere(session)?.claiming
  const views = createSessionViews(host, ownedHere)

  const startClaim = async (session: SessionId, spawn: OwnedSession['spawn']): Promise<OwnedSession> => {
    await releasing.get(session)
    await views.idle(session)
    return await claimSession(host, session, spawn)
  }
  const claimOf = (session: SessionId): Claim => {
    const known = claimHere(session)
    if (known !== undefined) return known
    const spawn = (work: () => Promise<void>) => void tasks.follow(session, useClaim(session, claim, work))
    const claim: Claim = { claiming: startClaim(session, spawn), owned: null, users: 0 }
    claims.set(session, claim)
    return claim
  }
  const use: OwnedSessions['use'] = (session, work) => useClaim(session, claimOf(session), work)
  const useClaim = async <Result>(
    session: SessionId,
    claim: Claim,
    work: (owned: OwnedSession) => Promise<Result>,
  ): Promise<Result> => {
    claim.users += 1
    try {
      claim.owned = await claim.claiming
      return await work(claim.owned)
    } finally {
      claim.users -= 1
      if (claim.users === 0) release(session, claim)
    }
  }
  const release = (session: SessionId, claim: Claim) => {
    const { owned } = claim
    const isHere = claims.get(session) === claim
    if (isHere) claims.delete(session)
    if (owned !== null) remember(settling, owned.writer.settled())
    // The exit of its agent could not be saved.
    if (owned !== null && eventsClosingLeftOver(owned.writer.state).length > 0) void retry(session)
    if (!isHere || owned?.lost.aborted === true) return
    const released = host.ownership.release(session).catch(() => {
      // The lease is no longer renewed, so it lapses.
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
  const all = () => [...claims.values()].flatMap(({ owned }) => owned ?? [])

  return {
    host,
    views,
    ownedHere,
    use,
    async recover(sessions) {
      const rest = new Set(sessions).values()
      const takeOverRest = async () => {
        for (const session of rest) await takeOver(session)
      }
      await Promise.all(Array.from({ length: recoveredAtOnce }, takeOverRest))
    },
    all,
    troubles: () => [...tasks.faults(), ...all().flatMap(({ trouble }) => trouble ?? [])],
    done: () => tasks.done(),
    releaseAll() {
      for (const [session, claim] of claims) release(session, claim)
    },
    async settled() {
      await Promise.all([...settling, ...releasing.values(), ...all().map(({ writer }) => writer.settled())])
    },
  }
}

function remember(pending: Set<Promise<void>>, promise: Promise<void>): void {
  const done = promise.finally(() => pending.delete(done))
  pending.add(done)
}

/** Tracks background work until it ends, and remembers its failures. */
function createTasks(now: () => number) {
  const faults = new Map<SessionId, Trouble>()
  const tasks = new Set<Promise<void>>()

  return {
    /** Follows a task of a session. It never rejects: a failure becomes a fault of the session, until a later task succeeds. */
    follow(session: SessionId, task: Promise<void>): Promise<void> {
      const followed = task
        .then(
          () => void faults.delete(session),
          (error: unknown) => void faults.set(session, troubleOf(session, error, now())),
        )
        .finally(() => tasks.delete(followed))
      tasks.add(followed)
      return followed
    },
    faults: () => [...faults.values()],
    /** Resolves when no task is left. */
    async done() {
      while (tasks.size > 0) await Promise.all(tasks)
    },
  }
}
