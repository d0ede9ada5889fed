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
 * Pages of entries that were read from disk a moment ago. What is packed together is read together, while a reader may
 * take it in many small steps, and readers that come back together want the same.
 */
export interface ColdPages {
  /** At most so many texts after an entry, from a page that is still here. */
  find(session: SessionId, after: number, limit: number): readonly string[] | undefined
  /** The same after the page was read. */
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
      // A read that began earlier may have missed what was saved since, and a reader that joined it would never get that.
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
