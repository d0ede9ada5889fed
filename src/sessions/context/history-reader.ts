import { readEntries } from '../../catalogue/read-entries.ts'
import { createHistoryFold, manifestAfter, type History, type Manifest } from '../../context/index.ts'
import type { OwnedSession } from '../own/owned-session.ts'

/** A session's journal as a history, and the last manifest that was sent. */
export interface HistoryReader {
  /** The last manifest that was sent. */
  readonly manifest: Manifest | null
  /** Keeps a compiled manifest, which saves more work than one that is read from the journal. */
  keep(next: Manifest, asOf: number): void
  /** Reads the new entries. */
  readOn(): Promise<History>
}

/** Reads a session's journal, and later its new entries. */
export function createHistoryReader({ host, writer }: OwnedSession): HistoryReader {
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
      const head = writer.state.summary.seq
      for await (const entry of readEntries(host.journal, writer.session, seq + 1, head)) {
        fold.apply(entry)
        const { event } = entry
        if (event.type === 'context-compiled' && entry.seq > known) manifest = manifestAfter(manifest, event)
        seq = entry.seq
      }
      return fold.view()
    },
  }
}
