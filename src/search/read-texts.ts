import type { Journal } from '../journal/journal.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Found } from './engine.ts'
import type { MatchPart } from './threads/messages.ts'

/** A segment of the journal has at most so many entries. */
const page = 256

/** Consecutive entries of a session, from the first to the last. */
interface Batch {
  readonly session: SessionId
  readonly first: number
  readonly texts: readonly string[]
}

/**
 * Reads the entries of places. Places that lie close together are read at once. Sessions that cannot be read are left
 * out.
 */
export async function readTexts(
  journal: Pick<Journal, 'readTexts'>,
  places: readonly Found[],
): Promise<ReadonlyMap<Found, MatchPart>> {
  const parts = new Map<Found, MatchPart>()
  let batch: Batch | null = null
  const bySession = places.toSorted((a, b) =>
    a.session < b.session ? -1 : a.session > b.session ? 1 : a.first - b.first,
  )
  // What lies behind the last place may be large, and is not needed.
  const last = new Map<SessionId, number>()
  for (const { session, seq } of places) last.set(session, Math.max(last.get(session) ?? 0, seq))
  for (const found of bySession) {
    const { session } = found
    try {
      const texts: string[] = []
      for (let seq = found.first; seq <= found.seq;) {
        const limit = Math.min(page, (last.get(session) ?? seq) - seq + 1)
        batch = await batchWith(journal, batch, { session, seq, limit })
        const some = batch.texts.slice(seq - batch.first, found.seq + 1 - batch.first)
        if (some.length === 0) break
        texts.push(...some)
        seq += some.length
      }
      parts.set(found, { found, texts })
    } catch {
      // A damaged session does not keep the others from being found.
      batch = null
    }
  }
  return parts
}

async function batchWith(
  journal: Pick<Journal, 'readTexts'>,
  known: Batch | null,
  { session, seq, limit }: { readonly session: SessionId; readonly seq: number; readonly limit: number },
): Promise<Batch> {
  const isKnown = known?.session === session && seq >= known.first && seq < known.first + known.texts.length
  if (isKnown) return known
  return { session, first: seq, texts: await journal.readTexts(session, seq - 1, limit) }
}
