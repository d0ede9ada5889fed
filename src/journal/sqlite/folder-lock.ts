import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'

/**
 * Takes the data folder for this process, until disposed or dead.
 *
 * The lock is SQLite's own file lock on an empty database: the system drops it in the moment the process
 * dies, however it dies, so a quick restart is never refused because of a process that is only not yet buried.
 */
export function lockFolder(folder: string): Disposable {
  const db = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 })
  const owner = join(folder, 'owner.json')
  try {
    db.exec('begin exclusive')
  } catch (error) {
    db.close()
    if (!(error instanceof Error && /locked/.test(error.message))) throw error
    throw new DragomanError(
      'folder-locked',
      `Another Dragoman${describeOwner(owner)} is using the data folder ${folder}. ` +
        'Stop it, or choose another folder with --data.',
      { cause: error },
    )
  }
  writeFileSync(owner, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), { mode: 0o600 })
  return { [Symbol.dispose]: () => db.close() }
}

function describeOwner(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; since: string }
    return ` (process ${pid}, since ${since})`
  } catch {
    // The owner may just be writing its name; the lock alone decides.
    return ''
  }
}
