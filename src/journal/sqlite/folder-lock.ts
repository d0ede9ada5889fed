import { chmodSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'
import { describeFailure, isDamaged } from './sqlite-failure.ts'

/** The process that uses a data folder, as far as it is known. */
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
  /** Publishes the URL of this process for other processes. */
  announce(url: string): void
}

/** Long enough for a process that only checks the lock to release it. */
const patienceMs = 200
const mostTries = 10

/**
 * Takes the data folder for this process, until disposed or dead.
 *
 * The lock is SQLite's own file lock on an empty database: the system drops it in the moment the process
 * dies, however it dies, so that a quick restart is never refused.
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
      // Before the lock is released, so that the owner file of the next process is not deleted.
      forgetOwner(folder)
      db.close()
    },
  }
}

/**
 * Opens the lock file and locks it; one that is damaged is emptied first. A lock without an owner's name is held by a process
 * that only checks it. This can take long on a busy machine, so we wait.
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
      // Its content was read, so no process has locked it. The file stays the same, because others may be opening it.
      truncateSync(path)
      return takeLock(folder, mostTries)
    }
    throw lockFailure(path, folder, error)
  }
}

/** SQLite cannot open the file, or not read it. */
const unusable: ReadonlySet<number> = new Set([10, 14])

/** The error for a lock that cannot be taken although no process has it. */
function lockFailure(path: string, folder: string, error: unknown): DragomanError {
  if (!unusable.has(((error as { errcode?: number }).errcode ?? 0) & 0xff))
    return describeFailure(error, folder)
  return new DragomanError(
    'folder-read-only',
    `The lock file ${path} cannot be opened. Delete it and try again; your data is in other files.`,
    { cause: error },
  )
}

/** The process that uses a data folder now; null without one. */
export function ownerOf(folder: string): Owner | null {
  const path = join(folder, 'lock.db')
  if (!existsSync(path)) return null
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    db.prepare('select count(*) from sqlite_schema').get()
    return null
  } catch (error) {
    if (isLocked(error)) return readOwner(folder)
    // A damaged lock was read, so no process has it. The next owner repairs it.
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

const isLocked = (error: unknown) => error instanceof Error && /locked/.test(error.message)

/** Replaces the owner file at once, so that readers never see half of it. */
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
    // If the disk refuses, the owner file stays. That does no harm: it is used only while the folder is locked.
  }
}

/** The file may still name a process that died, while the new owner is writing its name. Only the lock decides who the owner is. */
function readOwner(folder: string): Owner {
  try {
    const owner = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as Owner
    return owner.pid !== undefined && isAlive(owner.pid) ? owner : {}
  } catch {
    // The file is missing or not fully written yet, so the owner is unknown.
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
