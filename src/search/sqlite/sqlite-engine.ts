import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { SearchEngine } from '../engine.ts'
import { findParts } from './find-parts.ts'
import { inodeOf, isDamage, openIndex, removeIndex, type OpenIndex } from './open-index.ts'
import { createBatchWriter } from './write-batch.ts'

/** An index in a file, `search.db`. */
export interface SqliteEngine extends SearchEngine {
  /** Whether the file is still there. If not, a new and empty index takes its place. */
  check(): boolean
  /** Throws the index away. A new and empty one takes its place. */
  remake(): void
}

/** Opens the index, or makes an empty one. */
export function openSqliteEngine(path: string): SqliteEngine {
  let index: OpenIndex = openIndex(path)
  let writer = createBatchWriter(index.db)
  const remake = () => {
    close(index.db)
    removeIndex(path)
    index = openIndex(path)
    writer = createBatchWriter(index.db)
  }
  /** A damaged index is made again; the caller begins from its start. */
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      if (isDamage(error)) remake()
      throw error
    }
  }
  /** A transaction that fails leaves the index as it was. */
  const change = (work: () => void) => {
    try {
      index.db.exec('begin immediate')
      work()
      index.db.exec('commit')
    } catch (error) {
      if (!isDamage(error)) {
        if (index.db.isTransaction) index.db.exec('rollback')
        writer = createBatchWriter(index.db)
      }
      throw error
    }
  }
  return {
    check() {
      if (inodeOf(path) === index.inode && existsSync(`${path}-wal`)) return true
      remake()
      return false
    },
    remake,
    async positions() {
      const rows = guarded(() => index.db.prepare('select id, seq from session').all())
      return new Map(rows.map(row => [row['id'] as SessionId, Number(row['seq'])]))
    },
    async state(session) {
      const row = guarded(() => index.db.prepare('select seq, state from session where id = ?').get(session))
      return row && { seq: Number(row['seq']), state: JSON.parse(String(row['state'])) as Json }
    },
    async save(batches) {
      guarded(() => change(() => writer.write(batches)))
    },
    async forget(session) {
      guarded(() => change(() => writer.forget(session)))
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
