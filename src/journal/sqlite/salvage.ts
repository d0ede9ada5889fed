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
import { migrate } from './migrate.ts'
import type { Component } from './schema.ts'
import { expectedPages, pageSize, readWalFile } from './wal-file.ts'
import { openWitness, type WitnessState } from './witness.ts'

/** Whether the database file is shorter than it must be, or cannot be opened at all. */
export function isBroken(path: string, witness: WitnessState): boolean {
  if (!existsSync(path)) return false
  const { size } = statSync(path)
  if (size < witness.pages.length * pageSize && size < neededPages(path, witness) * pageSize) return true
  if (size === 0) return false
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    db.prepare('select count(*) from sqlite_schema').get()
    return false
  } catch {
    // Whatever SQLite says here, it cannot find its tables any more.
    return true
  } finally {
    db.close()
  }
}

const neededPages = (path: string, witness: WitnessState) =>
  expectedPages(witness.pages.length, readWalFile(`${path}-wal`, { compare: true }))

/** A copy that SQLite agrees to open: what is cut off is filled with zeros, so that only what lies there fails. */
export function copyReadable(path: string, to: string, witness: WitnessState): void {
  rmSync(to, { force: true })
  rmSync(`${to}-shm`, { force: true })
  copyFileSync(path, to)
  const length = neededPages(path, witness) * pageSize
  if (statSync(to).size < length) truncateSync(to, length)
  mendFirstPage(to, witness.pages[0])
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${to}-wal`)
}

/** Without its first page nothing of a database can be read. One bit flipped there is found by trying them all. */
function mendFirstPage(path: string, sum: number | undefined) {
  const page = Buffer.alloc(pageSize)
  const file = openSync(path, 'r+')
  try {
    readSync(file, page, 0, pageSize, 0)
    if (sum === undefined || crc32(page) === sum) return
    const flip = (bit: number) => (page[bit >> 3] = (page[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
    for (let bit = 0; bit < pageSize * 8; bit++) {
      flip(bit)
      if (crc32(page) === sum) return void writeSync(file, page, 0, pageSize, 0)
      flip(bit)
    }
  } finally {
    closeSync(file)
  }
}

/** Ends a salvage that a crash cut off between its last two steps. */
export function finishSalvage(folder: string): void {
  const path = join(folder, 'journal.db')
  const salvaged = join(folder, 'salvage-to.db')
  if (!existsSync(path) && existsSync(salvaged)) renameSync(salvaged, path)
}

/**
 * Makes a sound database of what can still be read of a broken one, so that every healthy session goes on
 * being served. The broken files are kept; returns where.
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
  const target = new DatabaseSync(to)
  target.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma foreign_keys = off')
  migrate(target, components, folder)
  const tables = target
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
  target.exec("begin; delete from setting where name = 'pad'")
  const source = new DatabaseSync(from)
  for (const { name } of tables) {
    try {
      copyRows(source, target, String(name), name === 'segment' ? [...witness.heads.keys()] : [])
    } catch {
      // Of this table nothing can be read; the witness knows which sessions there were.
      continue
    }
  }
  source.close()
  for (const [no, { session }] of witness.heads) insert(target, 'session', { no, id: session })
  target.exec("insert or ignore into setting values ('pad', randomblob(10)); commit")
  target.close()
}

/**
 * Row by row, because one that cannot be read must not take the others with it. Segments are looked for by walking
 * through their table and, session by session, through their index: either may be damaged where the other is not.
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
      // This row is damaged; `verify` says whose it was.
      continue
    }
  }
}

type SqlRow = Readonly<Record<string, SQLInputValue>>

/** What a walk through a table gives from its beginning and, where that breaks off, from its end. */
function readable(source: DatabaseSync, sql: string): readonly SqlRow[] {
  const rows: SqlRow[] = []
  for (const statement of [sql, `${sql} desc`]) {
    try {
      for (const row of source.prepare(statement).iterate()) rows.push(row)
      return rows
    } catch {
      // Damaged from here on: the walk from the other end finds what lies behind.
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
