import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { SearchEngine } from '../engine.ts'
import { findParts } from './find-parts.ts'
import { inodeOf, openIndex, removeIndex, type OpenIndex } from './open-index.ts'
import { createBatchWriter } from './write-batch.ts'

/** An index in a file, `search.db`. */
export interface SqliteEngine extends SearchEngine {
  /** Whether the file is still there. If not, a new and empty index takes its place. */
  check(): boolean
}

/** Opens the index, or makes an empty one. */
export function openSqliteEngine(path: string): SqliteEngine {
  let index: OpenIndex = openIndex(path)
  let writer = createBatchWriter(index.db)
  const reopen = () => {
    close(index.db)
    index = openIndex(path)
    writer = createBatchWriter(index.db)
  }
  /** A transaction that fails leaves the index as it was; a damaged index is made again. */
  const change = (work: () => void) => {
    try {
      index.db.exec('begin immediate')
      work()
      index.db.exec('commit')
    } catch (error) {
      if (isDamage(error)) {
        close(index.db)
        removeIndex(path)
        reopen()
      } else {
        if (index.db.isTransaction) index.db.exec('rollback')
        writer = createBatchWriter(index.db)
      }
      throw error
    }
  }
  return {
    check() {
      if (inodeOf(path) === index.inode && existsSync(`${path}-wal`)) return true
      close(index.db)
      removeIndex(path)
      reopen()
      return false
    },
    async positions() {
      const rows = index.db.prepare('select id, seq from session').all()
      return new Map(rows.map(row => [row['id'] as SessionId, Number(row['seq'])]))
    },
    async state(session) {
      const row = index.db.prepare('select seq, state from session where id = ?').get(session)
      return row && { seq: Number(row['seq']), state: JSON.parse(String(row['state'])) as Json }
    },
    async save(batches) {
      change(() => writer.write(batches))
    },
    async forget(session) {
      change(() => writer.forget(session))
    },
    async find(query) {
      return findParts(index.db, query)
    },
    async [Symbol.asyncDispose]() {
      close(index.db)
    },
  }
}

function close(db: DatabaseSync): void {
  if (db.isOpen) db.close()
}

const damages = new Set([11, 26])

/** Whether SQLite found the file to be damaged, or to be something else. */
const isDamage = (error: unknown) =>
  damages.has(Number((error as { readonly errcode?: unknown }).errcode) & 0xff)
