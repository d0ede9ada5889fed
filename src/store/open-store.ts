import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionPage } from '../catalogue/list-sessions.ts'
import { catalogueMigrations } from '../catalogue/sqlite/schema.ts'
import { createSqliteCatalogue } from '../catalogue/sqlite/sqlite-catalogue.ts'
import { createBell } from '../journal/bell.ts'
import { openSqliteJournal } from '../journal/sqlite/open-sqlite-journal.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import { createSearch } from '../search/create-search.ts'
import type { Search } from '../search/search.ts'
import type { NodeFolder, Store } from './store.ts'

/** A store on SQLite, in the data folder. */
export interface SqliteStore extends Store, NodeFolder {
  /** The sessions that changed last; they are checked on opening. */
  readonly recent: readonly SessionId[]
  /** The full-text search. It indexes from its start on, or from the first search. */
  readonly search: Search
  /** The size of the write-ahead log in bytes; undefined without one. */
  walBytes(): Promise<number | undefined>
}

/** How a store on this machine is opened. */
export interface StoreOptions {
  readonly folder: string
  /** `full`, the default, survives a loss of power; `fast` only the death of the process. */
  readonly durability?: 'full' | 'fast'
  /** The command that opens it, for the message to other processes that want it meanwhile. */
  readonly command?: string
  /** The clock for the times of entries. */
  readonly now?: () => number
  /** Called when work beside the commits failed and will be retried. */
  readonly onTrouble?: (error: DragomanError) => void
}

/** Opens the store in a data folder. A second process is refused. */
export async function openStore(options: StoreOptions): Promise<SqliteStore> {
  const bell = createBell()
  const components = [{ name: 'catalogue', migrations: catalogueMigrations, vital: ['session_summary'] }]
  const journal = await openSqliteJournal({ ...options, bell, components })
  const catalogue = createSqliteCatalogue(journal.tables)
  const search = createSearch({
    ...options,
    journal,
    sessions: () => allSessions(catalogue),
    recent: journal.recent,
    deletedOf: async sessions =>
      new Set(
        (await catalogue.summaries(sessions)).flatMap(({ session, deleted }) => (deleted ? [session] : [])),
      ),
  })
  bell.hearAll(search.notice)
  return {
    folder: options.folder,
    journal,
    bell,
    catalogue,
    search,
    recent: journal.recent,
    walBytes: () => sizeOf(join(options.folder, 'journal.db-wal')),
    announce: url => journal.announce(url),
    health: () => journal.health(),
    broken: journal.broken,
    async [Symbol.asyncDispose]() {
      await search[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
    },
  }
}

const page = 100

/** All sessions, deleted and archived ones included. */
async function* allSessions(catalogue: Catalogue) {
  for (const filter of [{ archived: false }, { archived: true }, { deleted: true }]) {
    let cursor: string | null = null
    do {
      const found: SessionPage = await catalogue.list({
        ...filter,
        limit: page,
        ...(cursor !== null && { cursor }),
      })
      yield* found.sessions
      cursor = found.next
    } while (cursor !== null)
  }
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
