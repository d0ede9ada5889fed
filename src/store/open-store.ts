import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueMigrations } from '../catalogue/sqlite/schema.ts'
import { createSqliteCatalogue } from '../catalogue/sqlite/sqlite-catalogue.ts'
import { createBell } from '../journal/bell.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { openSqliteJournal } from '../journal/sqlite/open-sqlite-journal.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'

/** Where everything is kept: the journal, its bell, and what is asked across sessions. */
export interface Store extends AsyncDisposable {
  /** The data folder; agents' process records and lines too long for memory lie there too. */
  readonly folder: string
  readonly journal: Journal
  readonly bell: Bell
  readonly catalogue: Catalogue
  /** The sessions that changed last: they are looked at on opening. */
  readonly recent: readonly SessionId[]
  /** The size of the write-ahead log in bytes; undefined while there is none. */
  walBytes(): Promise<number | undefined>
  /** Tells other processes that want the folder where this one can be reached. */
  announce(url: string): void
  /** Why nothing can be saved or read at the moment; null when all is well. */
  health(): DragomanError | null
  /** Resolves when nothing can be saved any more, and why. Then only a restart helps. */
  readonly broken: Promise<DragomanError>
}

/** How a store on this machine is opened. */
export interface StoreOptions {
  readonly folder: string
  /** `full`, the default, survives a loss of power; `fast` only the death of the process. */
  readonly durability?: 'full' | 'fast'
  /** The command that opens it, for those who are refused meanwhile. */
  readonly command?: string
  /** The clock by which entries are dated. */
  readonly now?: () => number
  /** Told of work beside the commits that failed and will be tried again. */
  readonly onTrouble?: (error: DragomanError) => void
}

/** Opens the store in a data folder, alone: a second process is refused. */
export async function openStore(options: StoreOptions): Promise<Store> {
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
