import type { DatabaseSync } from 'node:sqlite'
import type { Row, Tables } from '../journal/journal.ts'
import { catalogueMigrations } from './schema.ts'

/** The catalogue's tables in a database of the test, of today's version or of another. */
export function createTables(db: DatabaseSync, to = catalogueMigrations.length, from = 0): Tables {
  for (const script of catalogueMigrations.slice(from, to)) db.exec(script)
  return {
    async write(sql, parameters) {
      // As in a worker: what is written now can be read later, not at once.
      await new Promise(setImmediate)
      db.prepare(sql).run(...parameters)
    },
    async read(sql, parameters) {
      return db.prepare(sql).all(...parameters) as Row[]
    },
  }
}
