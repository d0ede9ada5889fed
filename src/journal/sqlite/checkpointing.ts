import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { pageSize, readWalFile, walSalt } from './wal-file.ts'
import type { Head, Witness } from './witness.ts'

/** Moves the write-ahead log into the database by hand, between commits, and lets the witness see it. */
export interface Checkpointing {
  /** Moves what is there. With `empty` the log is left empty, as it should be when nothing happens. */
  run(empty: boolean): void
  /** Writes heads and the length of the log to the witness. */
  mark(heads: ReadonlyMap<number, Head>): void
}

/** Checkpoints of one database. */
export function createCheckpointing(
  db: DatabaseSync,
  path: string,
  witness: Witness,
  reach: (step: 'after-checkpoint') => void,
): Checkpointing {
  const passive = db.prepare('pragma wal_checkpoint(passive)')
  const truncate = db.prepare('pragma wal_checkpoint(truncate)')
  const count = db.prepare('pragma wal_checkpoint(noop)')
  // Before 3.51 "noop" was not known and meant "passive".
  const canCount = versionOf(db) >= 3051
  const wal = `${path}-wal`
  // The log restarts with another salt only after a checkpoint.
  let salt: string | undefined

  return {
    run(empty) {
      salt = undefined
      const { log, checkpointed } = passive.get() as { log: number; checkpointed: number }
      reach('after-checkpoint')
      // A reader of an older state keeps the log alive; the pages stay in it and are looked at next time.
      if (log < 0 || log !== checkpointed) return
      const frames = readWalFile(wal, { limit: log })?.frames ?? []
      const changed = new Map(frames.map(frame => [frame.page, frame.pageSum]))
      const pages = Math.ceil(statSync(path).size / pageSize)
      for (const page of changed.keys()) if (page > pages) changed.delete(page)
      witness.checkpoint(
        pages,
        changed,
        Uint32Array.from(frames, frame => frame.slotSum),
      )
      if (!empty) return
      truncate.get()
      witness.checkpoint(pages, new Map(), null)
    },
    mark(heads) {
      if (canCount) salt ??= walSalt(wal)
      const frames = salt === undefined ? 0 : Number(count.get()?.['log'])
      witness.heads(heads, salt === undefined || frames <= 0 ? null : { salt, frames })
    },
  }
}

function versionOf(db: DatabaseSync): number {
  const [major = 0, minor = 0] = String(db.prepare('select sqlite_version() as v').get()?.['v'])
    .split('.')
    .map(Number)
  return major * 1000 + minor
}
