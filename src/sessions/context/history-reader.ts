import { readEntries } from '../../catalogue/read-entries.ts'
import { createHistoryFold, manifestAfter, type History, type Manifest } from '../../context/index.ts'
import type { OwnedSession } from '../own/owned-session.ts'

/** A session's journal as a history, and what of it was sent last. */
export interface HistoryReader {
  /** What was sent last. */
  readonly manifest: Manifest | null
  /** A manifest in hand saves work that one made again from the journal does not. */
  keep(next: Manifest, asOf: number): void
  /** Reads what is new. */
  readOn(): Promise<History>
}

/** Reads a session's journal, and later what is new in it. */
export function createHistoryReader({ host, record }: OwnedSession): HistoryReader {
  const fold = createHistoryFold()
  let seq = 0
  let manifest: Manifest | null = null
  let known = 0
  return {
    get manifest() {
      return manifest
    },
    keep(next, asOf) {
      manifest = next
      known = asOf
    },
    async readOn() {
      const head = record.state.summary.seq
      for await (const entry of readEntries(host.journal, record.session, seq + 1, head)) {
        fold.apply(entry)
        const { event } = entry
        if (event.type === 'context-compiled' && entry.seq > known) manifest = manifestAfter(manifest, event)
        seq = entry.seq
      }
      return fold.view()
    },
  }
}
