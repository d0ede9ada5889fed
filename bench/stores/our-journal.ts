import { createBell } from '../../src/journal/bell.ts'
import { openSqliteJournal, type SqliteJournal } from '../../src/journal/sqlite/open-sqlite-journal.ts'
import type { Store } from '../load/paths.ts'

/** Our journal with its bell. */
export interface OurStore extends Store, AsyncDisposable {
  readonly journal: SqliteJournal
}

/** Our journal, fully durable, as a server opens it. Trouble ends the bench: its numbers would mean nothing. */
export async function openOurStore(folder: string, now?: () => number): Promise<OurStore> {
  const bell = createBell()
  const onTrouble = (error: Error) => {
    throw error
  }
  const journal = await openSqliteJournal({ folder, bell, onTrouble, ...(now && { now }) })
  return { journal, bell, [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose]() }
}
