import type { Journal } from '../journal/journal.ts'
import { DragomanError } from '../protocol/error.ts'

/** Why a journal does not save. With `hangs`, an append never resolves. */
export type Failure = 'disk-full' | 'save-failed' | 'folder-read-only' | 'journal-closed' | 'hangs'

/** A journal that saves until `failure` is set, and again when it is unset. */
export function createFailingJournal() {
  const disk: { failure: Failure | null; refused: number } = { failure: null, refused: 0 }
  const refuse = async () => {
    if (disk.failure === null) return
    disk.refused += 1
    if (disk.failure === 'hangs') await new Promise<never>(() => {})
    else throw new DragomanError(disk.failure, 'Nothing can be saved here. Free some space.')
  }
  const wrap = (journal: Journal): Journal => ({
    ...journal,
    async append(...given) {
      await refuse()
      return journal.append(...given)
    },
    async appendOnce(...given) {
      await refuse()
      return journal.appendOnce(...given)
    },
  })
  return { disk, wrap }
}
