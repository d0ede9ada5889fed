import type { Journal } from '../../journal/journal.ts'
import type { SessionId } from '../../protocol/ids.ts'

/** Entries from disk, as texts. */
interface Page {
  readonly session: SessionId
  readonly after: number
  readonly texts: readonly string[]
  readonly characters: number
}

/**
 * Pages of entries that were just read from disk. A packed segment is read as a whole, but clients take it in small steps,
 * and clients that reconnect at the same time want the same pages.
 */
export interface ColdPages {
  /** At most `limit` texts after an entry, from a page in memory. */
  find(session: SessionId, after: number, limit: number): readonly string[] | undefined
  /** The same, after reading the page from disk. */
  read(session: SessionId, after: number, limit: number): Promise<readonly string[]>
}

const pageEntries = 256
const mostCharacters = 4 << 20
const keptMs = 1000

/** Starts empty; unused pages are dropped after a second. */
export function createColdPages(journal: Journal): ColdPages {
  const reading = new Map<string, Promise<Page>>()
  let pages: readonly Page[] = []
  let timer: NodeJS.Timeout | undefined
  const keepAwhile = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      pages = []
    }, keptMs)
    timer.unref()
  }
  const load = async (session: SessionId, after: number): Promise<Page> => {
    const texts = await journal.readTexts(session, after, pageEntries)
    const page = { session, after, texts, characters: texts.reduce((sum, text) => sum + text.length, 0) }
    pages = newestWithin([page, ...pages])
    keepAwhile()
    return page
  }
  return {
    find(session, after, limit) {
      const page = pages.find(
        each => each.session === session && each.after <= after && after < each.after + each.texts.length,
      )
      return page && cut(page, after, limit)
    },
    async read(session, after, limit) {
      const key = `${session} ${after}`
      const joined = reading.get(key)
      const found = joined === undefined ? [] : cut(await joined, after, limit)
      if (found.length > 0) return found
      // A read that started earlier may miss entries saved since; a client that joins it would never get them.
      const running = reading.get(key) ?? load(session, after).finally(() => reading.delete(key))
      reading.set(key, running)
      return cut(await running, after, limit)
    },
  }
}

const cut = (page: Page, after: number, limit: number) =>
  page.texts.slice(after - page.after, after - page.after + limit)

function newestWithin(pages: readonly Page[]): readonly Page[] {
  let left = mostCharacters
  return pages.filter(({ characters }) => (left -= characters) > 0)
}
