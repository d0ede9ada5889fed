import { join } from 'node:path'
import type { Journal } from '../journal/journal.ts'
import type { SessionId } from '../protocol/ids.ts'
import { DragomanError, errorMessage, isDragomanError } from '../protocol/error.ts'
import { findHits, readCursor, type Finding } from './find-hits.ts'
import { createIndexer } from './indexer.ts'
import { parseQuery } from './query/parse-query.ts'
import type { Filters } from './query/query.ts'
import { filterOf } from './query/read-filter.ts'
import type { Search, SearchWish } from './search.ts'
import { createCallThread } from './threads/call-thread.ts'
import type { IndexCalls, QueryCalls } from './threads/messages.ts'

/** What a search over a data folder needs. */
export interface SearchOptions {
  /** The data folder, which gets `search.db`. */
  readonly folder: string
  readonly journal: Journal
  /** All sessions, deleted ones included, the newest first: what is known of how many entries each has. */
  readonly sessions: () => AsyncIterable<{ readonly session: SessionId; readonly seq: number }>
  /** Sessions that may have more entries than that. */
  readonly recent?: readonly SessionId[]
  /** Those of the sessions that are deleted now, which the index may not know yet. */
  readonly deletedOf: Finding['deletedOf']
  readonly now?: () => number
  /** Called when indexing failed and will be retried. */
  readonly onTrouble?: (error: DragomanError) => void
}

const mostWaiting = 32
/** Before a search, the newest entries may be indexed within this time. */
const settleMs = 250

/** Prepares the search. Nothing is opened before it is started or asked. */
export function createSearch(options: SearchOptions): Search {
  const { folder, journal, deletedOf, now = Date.now } = options
  const path = join(folder, 'search.db')
  const queries = createCallThread<QueryCalls>('query-thread', { path })
  const indexer = createIndexer({
    ...options,
    now,
    thread: createCallThread<IndexCalls>('index-thread', { path }),
  })
  let waiting = 0
  /** Reads again after an index that cannot be read was made again. */
  const read = async (findNow: () => ReturnType<typeof findHits>) => {
    const first = await findNow()
    if (typeof first === 'object') return first
    await indexer.renew(first)
    await indexer.settle(settleMs)
    const second = await findNow()
    if (typeof second === 'object') return second
    throw new Error(`it is ${second}.`)
  }
  return {
    start: () => indexer.start(),
    notice: indexer.notice,
    behind: () => indexer.behind(),
    isBusy: () => indexer.isBusy(),
    settle: atMostMs => indexer.settle(atMostMs),
    async find({ query: text, filters, cursor, limit }) {
      const query = parseQuery(text, readFilters(filters))
      const before = cursor === undefined ? null : readCursor(cursor)
      if (waiting >= mostWaiting)
        throw new DragomanError(
          'too-many-connections',
          'Too many searches are running. Try again in a moment.',
        )
      waiting += 1
      try {
        indexer.start()
        await indexer.settle(settleMs)
        const page = await read(() =>
          findHits({ thread: queries, journal, deletedOf, now }, query, { cursor: before, limit }),
        )
        return { ...page, behind: await indexer.behind() }
      } catch (error) {
        throw isDragomanError(error) ? error : unreadable(path, error)
      } finally {
        waiting -= 1
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([indexer[Symbol.asyncDispose](), queries[Symbol.asyncDispose]()])
    },
  }
}

function readFilters(given: NonNullable<SearchWish['filters']> = {}): Filters {
  let filters: Filters = {}
  for (const [name, value] of Object.entries(given)) filters = { ...filters, ...filterOf(name, value) }
  return filters
}

const unreadable = (path: string, cause: unknown) =>
  new DragomanError(
    'internal',
    `The search index cannot be read: ${errorMessage(cause)} Delete ${path} to have it made again.`,
    { cause },
  )
