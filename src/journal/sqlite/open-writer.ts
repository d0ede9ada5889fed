import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { firstLink } from '../format/checksum.ts'
import { createReach } from './fault.ts'
import { cutBatch, encodeFrame } from '../format/frame.ts'
import { createHealth } from './health.ts'
import { readHotFrames } from './hot-frames.ts'
import { createHotTails, freshStart, type HotTails, type TailStart } from './hot-tails.ts'
import { lastOf } from '../format/run.ts'
import { createSettling, type Settled } from './settling.ts'
import { noteDamage } from './needs-salvage.ts'
import { describeFailure, isCorruption } from './sqlite-failure.ts'
import { createTableWriter } from './table-writer.ts'
import type { TableBatch } from './tables.ts'
import { createUpkeep } from './upkeep.ts'
import { readWitness } from './witness.ts'
import type { Commit, FromWriter, WriterOptions } from './writer-messages.ts'

/** The only code that writes into the database. */
export interface Writer {
  commit(commit: Commit): void
  rest(sessions: readonly number[]): void
  /** Packs everything, empties the log, and closes. */
  close(): void
}

const packedWait = 20
const tickEvery = 500
const idleAfter = 2000

/** Opens the database for writing; `tell` sends messages to the main thread. */
export function openWriter(options: WriterOptions, tell: (message: FromWriter) => void): Writer {
  const { folder } = options
  const db = openForWriting(options)
  const statements = prepareStatements(db)
  const writeTables = createTableWriter(db)
  const reach = createReach(options.fault)
  const tails = createHotTails(startOf(db, folder))
  const describe = (error: unknown) => {
    noteDamage(folder, error)
    return describeFailure(error, folder)
  }
  const trouble = (error: unknown) => {
    const { code, message } = describe(error)
    tell({ type: 'trouble', code, message })
  }
  const settling = createSettling(db, tails, trouble)
  const health = createHealth(folder, { tell })
  const upkeep = createUpkeep(db, folder, tails, options.checkpointPages, reach)
  let lsn = restoreTails(db, tails)
  let lastCommit = Date.now()
  let failure: { readonly epoch: number; readonly report: FromWriter } | undefined
  let packTimer: NodeJS.Timeout | undefined

  /** Work beside the commits. If it fails, nothing is lost; it is reported and retried later. */
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      trouble(error)
    }
  }
  const inTransaction = (work: () => void) => {
    db.exec('begin immediate')
    try {
      work()
      settling.save(lsn)
      reach('segments-inserted')
      reach('before-commit')
      db.exec('commit')
      reach('after-commit')
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }
  /** Why rows were refused, or null. That does not fail the commit; a full disk does. */
  const attemptRows = (rows: TableBatch): string | null => {
    try {
      writeTables(rows)
      return null
    } catch (error) {
      if (!db.isTransaction || describe(error).code === 'disk-full') throw error
      return (error as Error).message
    }
  }
  const afterCommit = (pages: number, ...atOnce: readonly Settled[]) => {
    const all = [...atOnce, settling.settled()]
    const sessions = all.flatMap(settled => settled.sessions)
    if (sessions.length > 0) tell({ type: 'settled', sessions })
    setImmediate(packNext)
    attempt(() => upkeep.changed(all.reduce((sum, settled) => sum + settled.pages, pages)))
  }
  /** One tail at a time, so that a commit never waits for more than one. */
  const packNext = () => {
    attempt(() => {
      if (settling.packOne()) setImmediate(packNext)
    })
    // Usually the next commit saves the segments; if none comes, they get their own.
    if (settling.isWaiting()) packTimer ??= setTimeout(saveSegments, packedWait)
  }
  /** Returns whether segments were saved. */
  const saveSegments = (): boolean => {
    packTimer = undefined
    let isSaved = false
    if (!settling.isWaiting()) return isSaved
    attempt(() => {
      inTransaction(() => {})
      isSaved = settling.isWaiting()
      upkeep.mark()
      afterCommit(2)
    })
    return isSaved
  }
  const ticking = setInterval(() => {
    // A folder that is gone may have been replaced by another one, which is not ours to write in.
    if (!health.look()) return clearInterval(ticking)
    const now = Date.now()
    tails.age(now)
    packNext()
    attempt(() => upkeep.mend())
    const quiet = upkeep.isMostlyUnused() ? tickEvery : idleAfter
    if (now - lastCommit > quiet) attempt(() => upkeep.tidy())
  }, tickEvery)

  /** Packs everything and empties the log. */
  const finish = () => {
    // A long tail makes several segments, one after the other.
    do {
      tails.age(Number.POSITIVE_INFINITY)
      while (settling.packOne());
    } while (saveSegments())
    settling.deleteFrames(lsn)
    upkeep.changed(1)
    upkeep.tidy()
  }

  return {
    commit({ epoch, batch, creates, names, writes }) {
      reach('batch-received')
      if (failure?.epoch === epoch) return tell(failure.report)
      const runs = cutBatch(batch)
      const newSessions = creates.map(([no]) => no)
      const atOnce = settling.packAtOnce(runs, newSessions)
      const frame = atOnce.others.length > 0 ? encodeFrame(atOnce.others) : undefined
      const refused: (readonly [number, string])[] = []
      try {
        inTransaction(() => {
          for (const [no, id] of creates) statements.insertSession.run(no, id)
          for (const name of names) statements.insertName.run(...name)
          if (frame !== undefined) statements.insertFrame.run(lsn + 1, frame)
          atOnce.save()
          reach('frame-inserted')
          for (const [index, rows] of writes.entries()) {
            const reason = attemptRows(rows)
            if (reason !== null) refused.push([index, reason])
          }
        })
        health.check()
      } catch (error) {
        const { code, message } = describe(error)
        failure = { epoch, report: { type: 'failed', code, message } }
        tell(failure.report)
        health.failed(error, frame?.length ?? 0)
        // The log may be what fills the disk.
        if (code === 'disk-full') attempt(() => upkeep.tidy())
        return
      }
      lastCommit = Date.now()
      if (frame !== undefined) lsn += 1
      for (const run of atOnce.others) tails.add(run, lsn, lastCommit)
      const settled = atOnce.settled(lastCommit)
      // The witness gets it before the acknowledgement, so that it notices when acknowledged entries are lost.
      attempt(() => upkeep.mark())
      reach('after-mark')
      tell({ type: 'committed', refused })
      reach('after-acknowledge')
      afterCommit(Math.ceil((frame?.length ?? 0) / 4096) + 2, settled)
    },
    rest(sessions) {
      for (const no of sessions) tails.rest(no)
      packNext()
    },
    close() {
      clearInterval(ticking)
      clearTimeout(packTimer)
      if (health.look()) attempt(finish)
      db.close()
      upkeep[Symbol.dispose]()
      tell({ type: 'closed' })
    },
  }
}

function openForWriting({ folder, durability, maxPages }: WriterOptions): DatabaseSync {
  const path = pathToFileURL(join(folder, 'journal.db'))
  // It existed a moment ago, so it must not be created.
  path.searchParams.set('mode', 'rw')
  const db = new DatabaseSync(path, { timeout: 5000 })
  db.exec(`pragma wal_autocheckpoint = 0; pragma synchronous = ${durability === 'full' ? 'full' : 'normal'};
    pragma foreign_keys = on; pragma cache_size = -32000; pragma temp_store = memory`)
  if (maxPages !== null) db.exec(`pragma max_page_count = ${maxPages}`)
  return db
}

const prepareStatements = (db: DatabaseSync) => ({
  insertFrame: db.prepare('insert into frame (lsn, body) values (?, ?)'),
  insertSession: db.prepare('insert into session (no, id) values (?, ?)'),
  insertName: db.prepare('insert into name (name, session, seq) values (?, ?, ?)'),
})

/**
 * Looks up the name of a session and the end of its last segment. If that is damaged, the link comes from the witness, so that
 * entries can still be added.
 */
function startOf(db: DatabaseSync, folder: string): (no: number, seq: number) => TailStart {
  const session = db.prepare('select id from session where no = ?')
  const last = db.prepare(
    'select first, last, link from segment where session = ? order by first desc limit 1',
  )
  return (no, seq) => {
    const name = String(session.get(no)?.['id'])
    try {
      const row = last.get(no) as { first: number; last: number; link: Uint8Array | null } | undefined
      if (row === undefined) return freshStart(name)
      return {
        session: name,
        link: Buffer.from(row.link ?? firstLink),
        last: { first: row.first, last: row.last },
      }
    } catch (error) {
      const head = readWitness(join(folder, 'journal.witness'))?.heads.get(no)
      noteDamage(folder, error)
      if (!isCorruption(error) || head?.seq !== seq) throw error
      return { session: name, link: Buffer.from(head.link, 'hex'), last: null }
    }
  }
}

/** Restores the tails from the hot journal. Damaged frames are put aside for `verify` to report. */
function restoreTails(db: DatabaseSync, tails: HotTails): number {
  const putAside = db.prepare('insert or ignore into damaged_frame (lsn, damage, body) values (?, ?, ?)')
  const packed = db.prepare('select coalesce(max(last), 0) as last from segment where session = ?')
  const now = Date.now()
  let lsn = 0
  for (const frame of Array.from(readHotFrames(db))) {
    lsn = frame.lsn
    if (!('runs' in frame)) putAside.run(lsn, frame.damage, frame.body)
    // A run is packed whole or not at all, because a tail is packed at the end of a commit.
    else
      for (const run of frame.runs)
        if (lastOf(run) > Number(packed.get(run.session)?.['last'])) tails.add(run, lsn, now)
  }
  return lsn
}
