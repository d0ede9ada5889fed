import type { Entry } from '../../protocol/entry.ts'
import type { Caller } from '../call.ts'

/** The entries of a session by number, fetched in pages, of which only the last few used ones are kept. */
export interface EntryPages {
  /** The entries after one, up to another and including it, from what is kept and from the server, page by page. */
  between(after: number, upTo: number, signal: AbortSignal): AsyncIterable<readonly Entry[]>
  /** One entry; undefined where there is none. */
  at(seq: number, signal: AbortSignal): Promise<Entry | undefined>
  /** The number of entries that the server reported last. */
  head(): number
  /** To be called when the server has more entries. */
  grown(head: number): void
}

const size = 500
const mostPages = 16

/** Starts empty: pages are fetched when they are needed. */
export function createEntryPages(client: Pick<Caller, 'call'>, session: string): EntryPages {
  const pages = new Map<number, readonly Entry[]>()
  let known = 0
  const isWhole = (number: number, page: readonly Entry[]) =>
    page.length === size || number * size + page.length >= known
  const read = async (number: number, signal: AbortSignal): Promise<readonly Entry[]> => {
    let page = pages.get(number) ?? []
    while (page.length === 0 || !isWhole(number, page)) {
      const after = number * size + page.length
      const query = { after: String(after), limit: String(size - page.length) }
      const { entries, head } = await client.call('listEntries', { params: { session }, query }, { signal })
      known = Math.max(known, head)
      if (entries.length === 0) break
      page = [...page, ...(entries as unknown as readonly Entry[])]
    }
    remember(pages, number, page)
    return page
  }
  return {
    async *between(after, upTo, signal) {
      for (let next = after; next < upTo;) {
        const number = Math.floor(next / size)
        const page = await read(number, signal)
        const entries = page.slice(next - number * size, upTo - number * size)
        if (entries.length === 0) return
        yield entries
        next += entries.length
      }
    },
    async at(seq, signal) {
      const number = Math.floor((seq - 1) / size)
      return (await read(number, signal))[seq - 1 - number * size]
    },
    head: () => known,
    grown(head) {
      known = Math.max(known, head)
    },
  }
}

/** The last used page is last; the first is dropped when there are too many. */
function remember(pages: Map<number, readonly Entry[]>, number: number, page: readonly Entry[]): void {
  pages.delete(number)
  pages.set(number, page)
  const [oldest] = pages.keys()
  if (pages.size > mostPages && oldest !== undefined) pages.delete(oldest)
}
