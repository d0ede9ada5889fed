import type { Catalogue } from '../../catalogue/catalogue.ts'
import { catchUp, storedState } from '../../catalogue/catch-up.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import { isDragomanError, type ErrorCode } from '../../protocol/error.ts'
import type { PromptId, SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'

/** The saved state of a session. */
export interface SessionRecord {
  readonly session: SessionId
  readonly state: SessionState
  /** Resolves when the rows of the catalogue are complete up to the state. */
  settled(): Promise<void>
}

/** A session whose events cannot be saved at the moment. */
export interface Trouble {
  readonly session: SessionId
  readonly code: ErrorCode
  readonly message: string
  readonly since: number
}

/** A session for reading. It cannot be written through this, so it need not be owned. */
export interface SessionView {
  readonly host: Host
  readonly record: SessionRecord
  /** Queued prompts that start only when a person continues them. */
  readonly held: ReadonlySet<PromptId>
  readonly trouble: Trouble | null
  /** Whether an agent is connected in this process. */
  readonly isConnected: boolean
}

/** Views of sessions. */
export interface SessionViews {
  of(session: SessionId): Promise<SessionView>
  /** Resolves when no read here is updating rows of a session, so that its owner may write them. */
  idle(session: SessionId): Promise<void>
}

/**
 * Gives a view of any session: from its owner if that is this process, else from the store. Rows of the catalogue that a dead
 * process left outdated are updated, unless another node owns the session. The journal is never written.
 */
export function createSessionViews(
  host: Host,
  ownedHere: (session: SessionId) => Promise<SessionView> | undefined,
): SessionViews {
  const reading = new Map<SessionId, Promise<StateRead>>()

  const readUnowned = (session: SessionId): Promise<StateRead> => {
    const known = reading.get(session)
    if (known !== undefined) return known
    const started = readState(host, session)
      .catch((error: unknown) => readIntact(host, session, error))
      .finally(() => reading.delete(session))
    reading.set(session, started)
    return started
  }

  const read = { ...host, catalogue: unwritten(host.catalogue) }
  /** The state that the other node stored with its rows. The rows are complete up to it, and a reader follows from there. */
  const othersView = async (session: SessionId): Promise<SessionView> =>
    viewOf(host, (await storedState(host, session)) ?? (await readState(read, session)).state, [])

  /** A session that cannot be claimed, for example because the disk is full, can still be read. */
  const claimed = async (session: SessionId, claiming: Promise<SessionView>): Promise<SessionView> => {
    try {
      return await claiming
    } catch (error) {
      if (!isDragomanError(error) || isDragomanError(error, 'unknown-session')) throw error
      const { state } = await readState(read, session).catch((reason: unknown) =>
        readIntact(host, session, reason),
      )
      return viewOf(host, state, state.queue)
    }
  }

  return {
    async of(session) {
      const owned = ownedHere(session)
      if (owned !== undefined) return await claimed(session, owned)
      const owner = await host.ownership.ownerOf(session)
      const claiming = ownedHere(session)
      if (claiming !== undefined) return await claimed(session, claiming)
      if (owner !== null && !owner.isHere) return await othersView(session)
      const { state } = await readUnowned(session)
      return viewOf(host, state, state.queue)
    },
    async idle(session) {
      await reading.get(session)?.catch(() => {})
    },
  }
}

const viewOf = (host: Host, state: SessionState, held: SessionState['queue']): SessionView => ({
  host,
  record: { session: state.summary.session, state, settled: async () => {} },
  held: new Set(held.map(({ prompt }) => prompt)),
  trouble: null,
  isConnected: false,
})

/** The state of a session at the end of its journal, and whether its rows in the catalogue are still behind. */
export interface StateRead {
  readonly state: SessionState
  readonly isBehind: boolean
}

/**
 * Reads a session and updates its rows in the catalogue. On a full disk the session can still be read: its rows stay behind until
 * they can be written.
 */
export async function readState(
  { journal, catalogue }: Pick<Host, 'journal' | 'catalogue'>,
  session: SessionId,
): Promise<StateRead> {
  let isBehind = false
  const fallBehind = () => {
    isBehind = true
  }
  const lenient: Catalogue = {
    ...catalogue,
    save: changes => catalogue.save(changes).catch(fallBehind),
    forget: id => catalogue.forget(id).catch(fallBehind),
  }
  const state = await catchUp({ journal, catalogue: lenient }, session)
  return { state, isBehind }
}

/**
 * The state of a damaged session before the damage, as far as its rows have come: what is intact can be read. Nothing runs in it,
 * because it cannot be claimed.
 */
async function readIntact(
  parts: Pick<Host, 'journal' | 'catalogue'>,
  session: SessionId,
  damage: unknown,
): Promise<StateRead> {
  if (!isDragomanError(damage, 'session-damaged')) throw damage
  const state = await storedState(parts, session)
  if (state === undefined) throw damage
  const summary = { ...state.summary, status: 'failed', running: null, pending: [] } as const
  return { state: { ...state, summary }, isBehind: true }
}

/** A catalogue that is only read: another node writes the rows of this session. */
const unwritten = (catalogue: Catalogue): Catalogue => ({
  ...catalogue,
  save: async () => {},
  forget: async () => {},
})
