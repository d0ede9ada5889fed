import type { SqliteStore } from '../../src/store/open-store.ts'
import { createPartsFold } from '../../src/search/parts/fold-parts.ts'
import type { Entry } from '../../src/protocol/entry.ts'

/** A text of a session, and its place. */
export interface PlacedText {
  readonly place: string
  readonly text: string
}

/** All texts of all sessions, as an index gets them. */
export async function readAllTexts(store: SqliteStore): Promise<readonly PlacedText[]> {
  const texts: PlacedText[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof store.catalogue.list>> = await store.catalogue.list({
      limit: 500,
      ...(cursor !== null && { cursor }),
    })
    for (const { session } of page.sessions) {
      const fold = createPartsFold()
      for (let seq = 0; ;) {
        const entries = await store.journal.readTexts(session, seq, 1000)
        if (entries.length === 0) break
        for (const entry of entries) fold.apply(JSON.parse(entry) as Entry)
        seq += entries.length
      }
      for (const { message, part, kind, text } of fold.take().parts)
        if (text.trim() !== '') texts.push({ place: `${session} ${message}/${part} ${kind}`, text })
    }
    cursor = page.next
  } while (cursor !== null)
  return texts
}
