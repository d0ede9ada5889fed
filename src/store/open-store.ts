import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogueMigrations } from '../catalogue/sqlite/schema.ts'
import { createSqliteCatalogue } from '../catalogue/sqlite/sqlite-catalogue.ts'
import { createBell } from '../journal/bell.ts'
import { openSqliteJournal } from '../journal/sqlite/open-sqlite-journal.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { NodeFolder, Store } from './store.ts'

/** A store on SQLite, in the data folder. */
export interface SqliteStore extends Store, NodeFolder {
  /** The sessions that changed last; they are checked on opening. */
  readonly recent: readonly SessionId[]
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
  const components = [{ name: 'catalogue', migrations: catalogueMigrations }]
  const journal = await openSqliteJournal({ ...options, bell, components })
  return {
    folder: options.folder,
    journal,
    bell,
    catalogue: createSqliteCatalogue(journal.tables),
    recent: journal.recent,
    walBytes: () => sizeOf(join(options.folder, 'journal.db-wal')),
    announce: url => journal.announce(url),
    health: () => journal.health(),
    broken: journal.broken,
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  }
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
