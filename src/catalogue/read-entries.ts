import type { Journal } from '../journal/journal.ts'
import type { Entry } from '../protocol/entry.ts'
import type { SessionId } from '../protocol/ids.ts'

const usualPage = 1000

/** The entries of a session from one seq to another, both included, read page by page. */
export async function* readEntries(
  journal: Pick<Journal, 'read'>,
  session: SessionId,
  first: number,
  last: number,
  page = usualPage,
): AsyncGenerator<Entry, void, undefined> {
  for (let seq = first - 1; seq < last;) {
    const entries = await journal.read(session, seq, Math.min(page, last - seq))
    yield* entries
    seq = entries.at(-1)?.seq ?? last
  }
}
