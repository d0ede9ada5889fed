import { DatabaseSync } from 'node:sqlite'
import { createTableWriter } from '../../journal/sqlite/table-writer.ts'
import type { Row, Tables } from '../../journal/sqlite/tables.ts'
import type { Catalogue } from '../catalogue.ts'
import { catalogueMigrations } from './schema.ts'
import { createSqliteCatalogue } from './sqlite-catalogue.ts'

/** A catalogue in a test database, by default in memory. */
export const createCatalogue = (db = new DatabaseSync(':memory:')): Catalogue =>
  createSqliteCatalogue(createTables(db))

/** The catalogue's tables in a database of the test, of today's version or of another. */
export function createTables(db: DatabaseSync, to = catalogueMigrations.length, from = 0): Tables {
  for (const script of catalogueMigrations.slice(from, to)) db.exec(script)
  const write = createTableWriter(db)
  return {
    async write(batch) {
      // As in a worker thread: a write can be read later, not at once.
      await new Promise(setImmediate)
      db.exec('begin')
      try {
        write(batch)
      } finally {
        db.exec('commit')
      }
    },
    async read(sql, parameters) {
      return db.prepare(sql).all(...parameters) as Row[]
    },
  }
}
