import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'
import { makeFolder } from './make-folder.ts'
import { migrate } from './migrate.ts'
import type { Component } from './schema.ts'
import { describeFailure } from './sqlite-failure.ts'
import type { WitnessState } from './witness.ts'

/** Makes the data folder if it is not there, and makes sure that it can be written to. */
export function prepareFolder(folder: string): void {
  const probe = join(folder, `.probe-${randomUUID()}`)
  try {
    makeFolder(folder)
  } catch (error) {
    throw new DragomanError(
      'folder-read-only',
      `The data folder ${folder} could not be created (${(error as Error).message}). Choose another folder with --data.`,
      { cause: error },
    )
  }
  try {
    writeFileSync(probe, 'x', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    throw describeFailure(error, folder)
  }
}

/** Opens the database of a data folder for writing and brings it to today's version. */
export function openDatabase(
  folder: string,
  components: readonly Component[],
  witness: WitnessState,
): DatabaseSync {
  const path = join(folder, 'journal.db')
  if (!existsSync(path) && witness.pages.length > 0)
    throw new DragomanError(
      'session-damaged',
      `${path} is missing, but the file journal.witness shows that it existed. ` +
        'Restore it from a backup, or move the folder away to start over.',
    )
  const isNew = !existsSync(path) || statSync(path).size === 0
  using closing = new DisposableStack()
  const db = closing.use(new DatabaseSync(path, { timeout: 5000 }))
  // Others may read the folder, but entries are for its owner only. The log gets the same mode.
  if (isNew) chmodSync(path, 0o600)
  // The log is moved by hand, so that the witness sees it. This comes first, because any write could move it.
  db.exec('pragma wal_autocheckpoint = 0; pragma synchronous = full; pragma foreign_keys = on')
  if (isNew) db.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal')
  migrate(db, components, folder)
  closing.move()
  return db
}
