import type { Catalogue } from '../../catalogue/catalogue.ts'
import { catchUp } from '../../catalogue/catch-up.ts'
import type { Change } from '../../catalogue/change.ts'
import type { Journal } from '../../journal/journal.ts'
import type { SessionId } from '../../protocol/ids.ts'

/** Keeps the rows of one session in step with its journal, beside the saving and never in its way. */
export interface CatalogueRows {
  put(changes: readonly Change[]): void
  /** Resolves when what was put so far is written, or has failed and waits to be mended. */
  settled(): Promise<void>
}

/** A shelf that mends itself: rows that are behind catch up from the journal with the next entry. */
export function createCatalogueRows(
  parts: { readonly journal: Journal; readonly catalogue: Catalogue },
  session: SessionId,
  isBehind: boolean,
): CatalogueRows {
  let behind = isBehind
  let mending = false
  let writing: Promise<unknown> = Promise.resolve()

  const fallBehind = () => {
    behind = true
  }
  const mend = async () => {
    mending = true
    try {
      while (behind) {
        behind = false
        await catchUp(parts, session)
      }
    } catch {
      fallBehind()
    } finally {
      mending = false
    }
  }
  const put = async (changes: readonly Change[]) => {
    // What is written beside the mending would be overwritten by it with older rows.
    if (mending) return fallBehind()
    return behind ? mend() : parts.catalogue.save(changes).catch(fallBehind)
  }

  return {
    put(changes) {
      if (changes.length > 0 || behind) writing = Promise.all([writing, put(changes)])
    },
    async settled() {
      await writing
    },
  }
}
