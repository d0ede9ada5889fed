import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DragomanError } from '../../protocol/error.ts'
import { describeFailure } from './sqlite-failure.ts'
import type { FromWriter } from './writer-messages.ts'

/** Checks whether entries can be saved: before each acknowledgement, and twice a second. */
export interface Health {
  /** Throws when the database was removed or replaced, because entries in the open file would be lost. */
  check(): void
  /** A commit of the given size failed. */
  failed(error: unknown, bytes: number): void
  /** Checks the folder. Returns false when it is gone; a folder in its place must not be changed. */
  look(): boolean
}

/** Access to the folder; tests replace it. */
export interface HealthOptions {
  readonly tell: (message: Extract<FromWriter, { readonly type: 'health' }>) => void
  readonly freeBytes?: (folder: string) => number
  readonly write?: (path: string, bytes: Uint8Array) => void
}

/** Less than this is as good as nothing. */
const leastBytes = 64 * 1024

/** Watches the data folder whose database is open. */
export function createHealth(folder: string, options: HealthOptions): Health {
  const { tell, freeBytes = freeBytesIn, write = writeFileSync } = options
  const [database, log] = ['journal.db', 'journal.db-wal'].map(name => sameFile(join(folder, name)))
  let code: string | null = null
  let unsaved = 0

  const report = (error: DragomanError | null) => {
    if ((error?.code ?? null) === code) return
    code = error?.code ?? null
    tell({ type: 'health', failure: error && { code: error.code, message: error.message } })
  }
  const check = () => {
    if (database?.() !== true) throw gone(folder)
  }
  const tryToWrite = () => {
    const path = join(folder, '.probe')
    try {
      write(path, Buffer.alloc(Math.max(leastBytes, unsaved)))
    } finally {
      rmSync(path, { force: true })
    }
  }

  return {
    check,
    failed(error, bytes) {
      unsaved = Math.max(unsaved, bytes)
      report(describeFailure(error, folder))
    },
    look() {
      try {
        check()
        if (log?.() !== true) throw gone(folder)
        if (code !== null || freeBytes(folder) < leastBytes) tryToWrite()
        unsaved = 0
        report(null)
      } catch (error) {
        report(describeFailure(error, folder))
      }
      return code !== 'data-folder-gone'
    },
  }
}

/** Returns a check whether a path still leads to the same file. */
function sameFile(path: string): () => boolean {
  const look = () => statSync(path, { bigint: true, throwIfNoEntry: false })
  const first = look()
  return () => {
    const now = look()
    return first === undefined || (first.ino === now?.ino && first.dev === now.dev)
  }
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** The error for a folder that is not there any more, or is another one. */
export const gone = (folder: string): DragomanError =>
  new DragomanError(
    'data-folder-gone',
    `The data folder ${folder} was removed or replaced while it was in use, so nothing more can be saved. ` +
      'Restore it from a backup if you need it, then restart the server.',
  )
