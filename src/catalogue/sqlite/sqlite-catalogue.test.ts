import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { createBell } from '../../journal/bell.ts'
import { openSqliteJournal } from '../../journal/sqlite/open-sqlite-journal.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { catalogueMigrations } from './schema.ts'
import { createCatalogue } from './sqlite-catalogue.fixture.ts'
import { createSqliteCatalogue } from './sqlite-catalogue.ts'

testCatalogue({ describe, it }, 'SQLite', async () => createCatalogue())

/** The catalogue as it is in use: written by the thread that saves the journal. */
testCatalogue({ describe, it }, 'SQLite with its journal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-catalogue-'))
  const journal = await openSqliteJournal({
    folder,
    bell: createBell(),
    components: [{ name: 'catalogue', migrations: catalogueMigrations }],
  })
  return {
    ...createSqliteCatalogue(journal.tables),
    async [Symbol.asyncDispose]() {
      await journal[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
