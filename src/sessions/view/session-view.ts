import type { Catalogue } from '../../catalogue/catalogue.ts'
import { catchUp, storedState } from '../../catalogue/catch-up.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import { isDragomanError, type ErrorCode } from '../../protocol/error.ts'
import type { PromptId, SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'

/** What is saved of a session. */
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

/** A session to be read. Whoever has no more than this writes nothing into it, and need not own it. */
export interface SessionView {
  readonly host: Host
  readonly record: SessionRecord
  /** Queued prompts that start only when a person says so. */
  readonly held: ReadonlySet<PromptId>
  readonly trouble: Trouble | null
  /** Whether an agent is connected in this process. */
  readonly isConnected: boolean
}

/** Views of sessions. */
export interface SessionViews {
  of(session: SessionId): Promise<SessionView>
  /** Resolves when no rows of a session are being brought up to date here, so that its owner may write them. */
  idle(session: SessionId): Promise<void>
}

/**
 * Gives a view of any session: of one that is owned here as its owner knows it, of others as the store has it. Rows of the
 * catalogue that a dead process left behind are brought up to date where no other node owns the session; the journal is
 * never written.
 */
export function createSessionViews(
  host: Host,
  ownedHere: (session: SessionId) => Promise<SessionView> | undefined,
): SessionViews {
  const reading = new Map<SessionId, Promise<StateRead>>()

  const readUnowned = (session: SessionId): Promise<StateRead> => {
    const known = reading.get(session)
    if (known !== undefined) return known
    const started = readState(host, session).finally(() => reading.delete(session))
    reading.set(session, started)
    return started
  }

  const read = { ...host, catalogue: unwritten(host.catalogue) }
  /** As far as the rows of the other node go: they are complete up to their state, and a reader follows from there. */
  const othersView = async (session: SessionId): Promise<SessionView> =>
    viewOf(host, (await storedState(host, session)) ?? (await readState(read, session)).state, [])

  /** A session that cannot be claimed, say because the disk is full, can still be read. */
  const claimed = async (session: SessionId, claiming: Promise<SessionView>): Promise<SessionView> => {
    try {
      return await claiming
    } catch (error) {
      if (!isDragomanError(error) || isDragomanError(error, 'unknown-session', 'session-damaged')) throw error
      const { state } = await readState(read, session)
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
 * Reads a session, and brings its rows in the catalogue up to date. A full disk must not keep a session from being read: its
 * rows then stay behind until they can be mended.
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

/** A catalogue that is only read: another node writes the rows of this session. */
const unwritten = (catalogue: Catalogue): Catalogue => ({
  ...catalogue,
  save: async () => {},
  forget: async () => {},
})
