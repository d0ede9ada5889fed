import { chmodSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'
import { damaged, describeFailure } from './sqlite-failure.ts'

/** Who uses a data folder now, as far as it has said so. */
export interface Owner {
  readonly pid?: number
  readonly since?: string
  /** The command that it runs. */
  readonly command?: string
  /** Where it can be reached, once it listens. */
  readonly url?: string
}

/** A data folder that is ours, until disposed of. */
export interface FolderLock extends Disposable {
  /** Tells other processes where this one can be reached. */
  announce(url: string): void
}

/** Long enough for one who only looks to look away again. */
const patienceMs = 200
const mostTries = 10

/**
 * Takes the data folder for this process, until disposed or dead.
 *
 * The lock is SQLite's own file lock on an empty database: the system drops it in the moment the process
 * dies, however it dies, so a quick restart is never refused because of a process that is only not yet buried.
 */
export function lockFolder(folder: string, command?: string): FolderLock {
  const owner: Owner = {
    pid: process.pid,
    since: new Date().toISOString(),
    ...(command !== undefined && { command }),
  }
  const db = takeLock(folder)
  try {
    writeOwner(folder, owner)
  } catch (error) {
    db.close()
    throw describeFailure(error, folder)
  }
  return {
    announce: url => writeOwner(folder, { ...owner, url }),
    [Symbol.dispose]() {
      // While the lock still stands, so that it cannot be the next one's name that goes.
      forgetOwner(folder)
      db.close()
    },
  }
}

/**
 * Opens the lock file and locks it; one that is damaged is emptied first. A lock without an owner's name is held by one that only
 * looks, for long on a busy machine: it is waited for.
 */
function takeLock(folder: string, tries = 1): DatabaseSync {
  const path = join(folder, 'lock.db')
  const isNew = !existsSync(path)
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(path, { timeout: patienceMs })
    if (isNew) chmodSync(path, 0o600)
    db.exec('begin exclusive')
    return db
  } catch (error) {
    db?.close()
    if (isLocked(error)) {
      const owner = readOwner(folder)
      if (owner.pid === undefined && tries < mostTries) return takeLock(folder, tries + 1)
      throw lockedBy(folder, owner, error)
    }
    if (isDamaged(error) && tries < mostTries) {
      // Its content was read, so nobody has locked it. It stays the same file: others may be opening it.
      truncateSync(path)
      return takeLock(folder, mostTries)
    }
    throw lockFailure(path, folder, error)
  }
}

/** SQLite cannot open the file, or not read it. */
const unusable: ReadonlySet<number> = new Set([10, 14])

/** The error for a lock that cannot be taken although nobody has it. */
function lockFailure(path: string, folder: string, error: unknown): DragomanError {
  if (!unusable.has(((error as { errcode?: number }).errcode ?? 0) & 0xff))
    return describeFailure(error, folder)
  return new DragomanError(
    'folder-read-only',
    `The lock file ${path} cannot be opened. Delete it and try again; your data is in other files.`,
    { cause: error },
  )
}

/** Who uses a data folder now; null when nobody does. */
export function ownerOf(folder: string): Owner | null {
  const path = join(folder, 'lock.db')
  if (!existsSync(path)) return null
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    db.prepare('select count(*) from sqlite_schema').get()
    return null
  } catch (error) {
    if (isLocked(error)) return readOwner(folder)
    // A damaged lock was read, so nobody has it; whoever takes it mends it.
    if (isDamaged(error)) return null
    throw lockFailure(path, folder, error)
  }
}

/** The error for a folder that someone else uses. */
export function lockedBy(folder: string, owner: Owner, cause?: unknown): DragomanError {
  return new DragomanError(
    'folder-locked',
    `Another Dragoman${describe(owner)} is using the data folder ${folder}. ` +
      'Stop it, or choose another folder with --data.',
    { ...owner, ...(cause !== undefined && { cause }) },
  )
}

function describe({ pid, since, command, url }: Owner): string {
  const facts = [
    ...(pid === undefined ? [] : [`process ${pid}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(command === undefined ? [] : [`"dragoman ${command}"`]),
    ...(url === undefined ? [] : [url]),
  ]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}

const isDamaged = (error: unknown) => damaged.has(((error as { errcode?: number }).errcode ?? 0) & 0xff)

const isLocked = (error: unknown) => error instanceof Error && /locked/.test(error.message)

/** Whoever reads finds the old name or the new one, never half of it. */
function writeOwner(folder: string, owner: Owner): void {
  const path = join(folder, 'owner.json')
  writeFileSync(`${path}.new`, JSON.stringify(owner), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

function forgetOwner(folder: string): void {
  try {
    // Another process may own a folder that was put in the place of ours.
    if (readOwner(folder).pid === process.pid) rmSync(join(folder, 'owner.json'), { force: true })
  } catch {
    // A disk that refuses keeps the name, which does no harm: it is believed only while the lock stands.
  }
}

/** The name may be that of one who died, when the new owner is just writing its own: the lock alone decides. */
function readOwner(folder: string): Owner {
  try {
    const owner = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as Owner
    return owner.pid !== undefined && isAlive(owner.pid) ? owner : {}
  } catch {
    // Not there yet, or not whole: then it is someone whose name is not known.
    return {}
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
