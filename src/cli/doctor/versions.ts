import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { catalogueMigrations } from '../../catalogue/sqlite/schema.ts'
import { journalComponent } from '../../journal/sqlite/schema.ts'

/** The versions in a database as text, and whether one is newer than this program supports. */
export interface Versions {
  readonly text: string
  readonly newer: boolean
}

/** Reads the versions in a data folder without changing it; null if nothing is saved. Throws if it cannot be read. */
export function readVersions(folder: string): Versions | null {
  const path = join(folder, 'journal.db')
  if (!existsSync(path)) return null
  using db = new DatabaseSync(path, { readOnly: true, timeout: 1000 })
  const rows = db.prepare('select name, version from component order by name').all()
  return {
    text: rows.map(row => `${String(row['name'])} version ${String(row['version'])}`).join(', '),
    newer: rows.some(row => Number(row['version']) > (known[String(row['name'])] ?? 0)),
  }
}

const known: Readonly<Record<string, number>> = {
  journal: journalComponent.migrations.length,
  catalogue: catalogueMigrations.length,
}
