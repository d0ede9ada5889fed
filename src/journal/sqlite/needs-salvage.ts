import { closeSync, existsSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findFlippedBit } from './flipped-bit.ts'
import type { Component } from './schema.ts'
import { isCorruption } from './sqlite-failure.ts'
import { expectedPages, pageSize, readWalFile } from './wal-file.ts'
import type { WitnessState } from './witness.ts'

/** Whether the database file is shorter than it must be, or cannot be opened at all. */
export function isBroken(path: string, witness: WitnessState): boolean {
  if (!existsSync(path)) return false
  const { size } = statSync(path)
  if (size < witness.pages.length * pageSize && size < neededPages(path, witness) * pageSize) return true
  if (size === 0) return false
  using db = new DatabaseSync(path, { readOnly: true })
  try {
    db.prepare('select count(*) from sqlite_schema').get()
    return false
  } catch {
    // Whatever the reason is, SQLite cannot find its tables any more.
    return true
  }
}

/** How many pages the database file must have at least. */
export const neededPages = (path: string, witness: WitnessState): number =>
  expectedPages(witness.pages.length, readWalFile(`${path}-wal`, { compare: true }))

/**
 * Whether damage keeps a data folder from being used as a whole: a broken file, a damaged table that every session needs, or a
 * damaged page that the last process met. Damage inside of one session's entries does not count.
 */
export function needsSalvage(
  folder: string,
  components: readonly Component[],
  witness: WitnessState,
): boolean {
  const path = join(folder, 'journal.db')
  if (!existsSync(path) || statSync(path).size === 0) return false
  if (isBroken(path, witness) || existsSync(noteIn(folder))) return true
  using db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    return (
      existing(
        db,
        components.flatMap(({ vital = [] }) => vital),
      ).some(table => !isWhole(db, table)) || hasFlippedRoot(db, path, witness)
    )
  } catch (error) {
    if (isCorruption(error)) return true
    throw error
  }
}

/** The tables that exist: a new database may have none. */
function existing(db: DatabaseSync, tables: readonly string[]): readonly string[] {
  const find = db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?")
  return tables.filter(table => table === 'sqlite_schema' || find.get(table) !== undefined)
}

/** Whether SQLite finds no fault in a table and its indexes. */
export const isWhole = (db: DatabaseSync, table: string): boolean =>
  db.prepare(`pragma integrity_check(${table})`).get()?.['integrity_check'] === 'ok'

/** Whether a root page has a flipped bit. Small tables have only this page, and SQLite does not check values. */
function hasFlippedRoot(db: DatabaseSync, path: string, { pages, damagedLines }: WitnessState): boolean {
  // Sums of a damaged witness may be out of date.
  if (damagedLines > 0) return false
  const file = openSync(path, 'r')
  const page = Buffer.alloc(pageSize)
  try {
    return db
      .prepare('select distinct rootpage from sqlite_schema where rootpage > 0')
      .all()
      .map(row => Number(row['rootpage']))
      .some(no => {
        const length = readSync(file, page, 0, pageSize, (no - 1) * pageSize)
        return length === pageSize && findFlippedBit(page, pages[no - 1]) !== undefined
      })
  } finally {
    closeSync(file)
  }
}

const noteIn = (folder: string) => join(folder, 'salvage-needed')

/** Remembers damage that SQLite met, so that the next start salvages the database. */
export function noteDamage(folder: string, error: unknown): void {
  if (isCorruption(error)) writeFileSync(noteIn(folder), '', { mode: 0o600 })
}

/** Forgets the damage after a salvage. */
export const forgetDamage = (folder: string): void => rmSync(noteIn(folder), { force: true })
