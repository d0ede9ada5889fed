import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { findFlippedBit } from './flipped-bit.ts'
import { migrate, refuseNewer } from './migrate.ts'
import { forgetDamage, isWhole, neededPages } from './needs-salvage.ts'
import { journalComponent, type Component } from './schema.ts'
import { pageSize, readWalFile, sumsInWal } from './wal-file.ts'
import { openWitness, type WitnessState } from './witness.ts'

/** A copy that SQLite can open: cut-off pages are filled with zeros, and flipped bits are flipped back. */
export function copyReadable(path: string, to: string, witness: WitnessState): void {
  rmSync(to, { force: true })
  rmSync(`${to}-shm`, { force: true })
  copyFileSync(path, to)
  const length = neededPages(path, witness) * pageSize
  if (statSync(to).size < length) truncateSync(to, length)
  mendPages(to, witness.pages, sumsInWal(readWalFile(`${path}-wal`, { compare: true })))
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${to}-wal`)
}

/** Mends every page in which one bit was flipped. Pages that a checkpoint has just replaced are left alone. */
function mendPages(path: string, sums: Uint32Array, newer: ReturnType<typeof sumsInWal>) {
  const page = Buffer.alloc(pageSize)
  const file = openSync(path, 'r+')
  try {
    for (const [index, sum] of sums.entries()) {
      if (readSync(file, page, 0, pageSize, index * pageSize) < pageSize) return
      if (newer.get(index + 1)?.has(crc32(page)) === true) continue
      const bit = findFlippedBit(page, sum)
      if (bit === undefined) continue
      page[bit >> 3] = (page[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      writeSync(file, page, 0, pageSize, index * pageSize)
    }
  } finally {
    closeSync(file)
  }
}

/** Finishes a salvage that a crash interrupted between its last two steps. */
export function finishSalvage(folder: string): void {
  const path = join(folder, 'journal.db')
  const salvaged = join(folder, 'salvage-to.db')
  if (!existsSync(path) && existsSync(salvaged)) renameSync(salvaged, path)
}

/**
 * Moves all readable rows of a damaged database to a new one, so that healthy sessions are still served. Keeps the damaged
 * files, and returns their folder.
 */
export function salvage(folder: string, components: readonly Component[], witness: WitnessState): string {
  const path = join(folder, 'journal.db')
  const kept = join(folder, `damaged-${new Date().toISOString().replaceAll(':', '-')}`)
  const from = join(folder, 'salvage-from.db')
  const to = join(folder, 'salvage-to.db')
  for (const file of [from, to])
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  copyReadable(path, from, witness)
  copyTables(from, to, components, folder, witness)

  mkdirSync(kept, { mode: 0o700 })
  for (const end of ['-wal', ''])
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, join(kept, `journal.db${end}`))
  rmSync(`${path}-shm`, { force: true })
  openWitness(join(folder, 'journal.witness'), {
    ...witness,
    pages: new Uint32Array(),
    slots: new Uint32Array(),
    mark: null,
  })[Symbol.dispose]()
  renameSync(to, path)
  forgetDamage(folder)
  for (const end of ['', '-wal', '-shm']) rmSync(`${from}${end}`, { force: true })
  return kept
}

function copyTables(
  from: string,
  to: string,
  components: readonly Component[],
  folder: string,
  witness: WitnessState,
) {
  using source = new DatabaseSync(from)
  refuseNewer(source, components)
  using target = new DatabaseSync(to)
  target.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma foreign_keys = off')
  migrate(target, components, folder)
  target.exec("begin; delete from setting where name = 'pad'")
  for (const table of tablesToCopy(source, target)) {
    try {
      copyRows(source, target, table, table === 'segment' ? [...witness.heads.keys()] : [])
    } catch {
      // Nothing of this table can be read. The witness knows which sessions there were.
      continue
    }
  }
  for (const [no, { session }] of witness.heads) insert(target, 'session', { no, id: session })
  target.exec("insert or ignore into setting values ('pad', randomblob(10)); commit")
}

/** The journal's tables, and the others if all of them are whole: their rows are made again from the journal. */
function tablesToCopy(source: DatabaseSync, target: DatabaseSync): readonly string[] {
  using empty = new DatabaseSync(':memory:')
  for (const script of journalComponent.migrations) empty.exec(script)
  const journals = tablesOf(empty)
  const others = tablesOf(target).filter(table => !journals.includes(table))
  return others.every(table => isSurelyWhole(source, table)) ? [...journals, ...others] : journals
}

const tablesOf = (db: DatabaseSync) =>
  db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'component'",
    )
    .all()
    .map(row => String(row['name']))

function isSurelyWhole(db: DatabaseSync, table: string): boolean {
  try {
    return isWhole(db, table)
  } catch {
    // A check that fails is a fault, too.
    return false
  }
}

/**
 * Copies row by row, because one unreadable row must not affect the others. Segments are found through their table and, for each
 * session, through their index: one of them may be damaged where the other is not.
 */
function copyRows(source: DatabaseSync, target: DatabaseSync, table: string, sessions: readonly number[]) {
  const hasRowid =
    source.prepare('select 1 from pragma_table_list where name = ? and wr = 0').get(table) !== undefined
  if (!hasRowid) {
    for (const row of readable(source, `select * from "${table}" order by 1`)) insert(target, table, row)
    return
  }
  const one = source.prepare(`select * from "${table}" where rowid = ?`)
  const walks = [
    `select rowid as id from "${table}" order by rowid`,
    ...sessions.map(no => `select rowid as id from segment where session = ${no} order by first`),
  ]
  const ids = new Set(walks.flatMap(walk => readable(source, walk)).map(row => Number(row['id'])))
  for (const id of ids) {
    try {
      const row = one.get(id)
      if (row !== undefined) insert(target, table, row)
    } catch {
      // This row is damaged. `verify` reports its session.
      continue
    }
  }
}

type SqlRow = Readonly<Record<string, SQLInputValue>>

/** The rows of a query in order and, if that fails at a damaged page, also those from the end. */
function readable(source: DatabaseSync, sql: string): readonly SqlRow[] {
  const rows: SqlRow[] = []
  for (const statement of [sql, `${sql} desc`]) {
    try {
      for (const row of source.prepare(statement).iterate()) rows.push(row)
      return rows
    } catch {
      // The query in reverse order finds the rows behind the damage.
      continue
    }
  }
  return rows
}

function insert(target: DatabaseSync, table: string, row: SqlRow) {
  const columns = Object.keys(row).map(column => `"${column}"`)
  const places = columns.map(() => '?').join(', ')
  target
    .prepare(`insert or ignore into "${table}" (${columns.join(', ')}) values (${places})`)
    .run(...Object.values(row))
}
