import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'
import { migrate } from './migrate.ts'
import type { Component } from './schema.ts'
import { describeFailure } from './sqlite-failure.ts'

/** Makes the data folder if it is not there, and makes sure that it can be written to. */
export function prepareFolder(folder: string): void {
  const probe = join(folder, `.probe-${randomUUID()}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(probe, 'x', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    throw describeFailure(error, folder)
  }
}

/** Opens the database of a data folder for writing and brings it to today's version. */
export function openDatabase(folder: string, components: readonly Component[]): DatabaseSync {
  const path = join(folder, 'journal.db')
  if (!existsSync(path) && existsSync(join(folder, 'journal.witness')))
    throw new DragomanError(
      'session-damaged',
      `${path} is missing, but the witness beside it knows that there was one. ` +
        'Restore it from a backup, or move the folder away to start afresh.',
    )
  try {
    const db = new DatabaseSync(path, { timeout: 5000 })
    // Vacuum must be chosen before the first table; the log is moved by hand, so that the witness sees it.
    db.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma wal_autocheckpoint = 0')
    db.exec('pragma synchronous = full; pragma foreign_keys = on')
    migrate(db, components, folder)
    return db
  } catch (error) {
    throw describeFailure(error, folder)
  }
}
