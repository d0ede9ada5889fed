import type { Entry } from '../protocol/entry.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { SearchEngine } from './engine.ts'
import { createPartsFold, type PartsFold } from './parts/fold-parts.ts'

/** Brings entries into an index. */
export interface Indexing {
  /** Takes consecutive entries of a session as JSON texts. Returns how far it is taken now, and what was saved meanwhile. */
  add(session: SessionId, texts: readonly string[]): Promise<Added>
  /** Saves all that was taken, and returns how far each of these sessions is indexed. */
  commit(): Promise<readonly (readonly [SessionId, number])[]>
  /** How far each session was indexed before; what was taken and not saved is forgotten. */
  restart(): Promise<readonly (readonly [SessionId, number])[]>
  forget(session: SessionId): Promise<void>
}

/** How far a session is taken, and how far sessions were saved. */
export interface Added {
  readonly seq: number
  readonly saved: readonly (readonly [SessionId, number])[]
}

interface Taken {
  readonly fold: PartsFold
  seq: number
  isChanged: boolean
}

/** So much text is saved together: fewer and larger sections make the index smaller and quicker. */
const usualSigns = 8_000_000
/** So many sessions are kept ready to read on. */
const mostReady = 50

/** Folds entries and saves what they changed. */
export function createIndexing(engine: SearchEngine, mostSigns = usualSigns): Indexing {
  const sessions = new Map<SessionId, Taken>()

  const open = async (session: SessionId): Promise<Taken> => {
    const known = sessions.get(session)
    if (known !== undefined) return known
    const saved = await engine.state(session)
    const taken = { fold: createPartsFold(saved?.state), seq: saved?.seq ?? 0, isChanged: false }
    sessions.set(session, taken)
    return taken
  }
  const commit = async () => {
    const changed = [...sessions].filter(([, { isChanged }]) => isChanged)
    const batches = changed.map(([session, { fold }]) => ({ session, ...fold.take() }))
    try {
      if (batches.length > 0) await engine.save(batches)
    } catch (error) {
      // The folds are ahead of what is saved now.
      sessions.clear()
      throw error
    }
    for (const [, taken] of changed) taken.isChanged = false
    for (const session of [...sessions.keys()].slice(0, Math.max(0, sessions.size - mostReady)))
      sessions.delete(session)
    return batches.map(({ session, seq }) => [session, seq] as const)
  }
  return {
    async add(session, texts) {
      const taken = await open(session)
      for (const text of texts) {
        const entry = JSON.parse(text) as Entry
        if (entry.seq !== taken.seq + 1) continue
        taken.fold.apply(entry)
        taken.seq = entry.seq
        taken.isChanged = true
      }
      let signs = 0
      for (const { fold } of sessions.values()) signs += fold.size()
      const isMuch = signs > mostSigns || sessions.size > 4 * mostReady
      return { seq: taken.seq, saved: isMuch ? await commit() : [] }
    },
    commit,
    async restart() {
      sessions.clear()
      return [...(await engine.positions())]
    },
    async forget(session) {
      sessions.delete(session)
      await engine.forget(session)
    },
  }
}
