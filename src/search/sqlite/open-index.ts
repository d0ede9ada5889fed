import { chmodSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { indexVersion, schema } from './schema.ts'

/** An open index, and the file that it was opened from. */
export interface OpenIndex {
  readonly db: DatabaseSync
  readonly inode: bigint
}

/** Opens the index for writing. One that is damaged, or of another version, is thrown away: it can be made again. */
export function openIndex(path: string): OpenIndex {
  // Also what stands in its place: to open a pipe would never end.
  if (inodeOf(path) === null) removeIndex(path)
  try {
    return { db: openOrCreate(path), inode: inodeOf(path) ?? 0n }
  } catch {
    removeIndex(path)
    return { db: openOrCreate(path), inode: inodeOf(path) ?? 0n }
  }
}

function openOrCreate(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 })
  try {
    // Others may read the folder, but words of sessions are for its owner only. The log gets the same mode.
    chmodSync(path, 0o600)
    db.exec('pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = normal')
    db.exec(
      'pragma wal_autocheckpoint = 2000; pragma cache_size = -16000; pragma journal_size_limit = 33554432',
    )
    const version = versionOf(db)
    if (version === 0) db.exec(`begin; ${schema}; pragma user_version = ${indexVersion}; commit`)
    else if (version !== indexVersion) throw new Error(`The index has version ${version}.`)
    // Of a damaged index, these cannot be opened, but its version can be read.
    db.prepare('select 1 from word, gram')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens the index for reading; null when there is none. */
export function openIndexToRead(path: string): OpenIndex | null {
  const inode = inodeOf(path)
  if (inode === null) return null
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    db.exec('pragma cache_size = -32000')
    if (versionOf(db) === indexVersion) return { db, inode }
  } catch (error) {
    db.close()
    throw error
  }
  db.close()
  return null
}

/** Deletes the index. */
export function removeIndex(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true })
}

/** Identifies the file at a path; null when there is none. A deleted file stays usable, but no other program can see it. */
export function inodeOf(path: string): bigint | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() === true ? stats.ino : null
}

/** Corrupt, shorter than it says, or another kind of file. */
const damages = new Set([11, 26, 522])

/** Whether SQLite found the file to be damaged, or to be something else. */
export function isDamage(error: unknown): boolean {
  const code = Number((error as { readonly errcode?: unknown }).errcode)
  return damages.has(code) || damages.has(code & 0xff)
}

const versionOf = (db: DatabaseSync) => Number(db.prepare('pragma user_version').get()?.['user_version'])
