import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { createCheckpointing } from './checkpointing.ts'
import { cutBatch, encodeFrame } from './frame.ts'
import { readHotFrames } from './hot-frames.ts'
import { createHotTails, freshStart, headOf, type Tail, type TailStart } from './hot-tails.ts'
import { createPacking, type Packed } from './packing.ts'
import { describeFailure } from './sqlite-failure.ts'
import { lastOf, type Run } from './run.ts'
import { pageSums, walSalt } from './wal-file.ts'
import { emptyWitness, openWitness, readWitness, type Head } from './witness.ts'
import type { Commit, FromWriter, ToWriter, WriterOptions, WriterStep } from './writer-messages.ts'

const { folder, durability, fault, maxPages, checkpointPages } = workerData as WriterOptions
const path = join(folder, 'journal.db')
const packedWait = 20
const idleAfter = 2000

const db = new DatabaseSync(path, { timeout: 5000 })
db.exec(`pragma synchronous = ${durability === 'full' ? 'full' : 'normal'}; pragma wal_autocheckpoint = 0;
  pragma foreign_keys = on; pragma cache_size = -32000; pragma temp_store = memory`)
if (maxPages !== null) db.exec(`pragma max_page_count = ${maxPages}`)

const insertFrame = db.prepare('insert into frame (lsn, body) values (?, ?)')
const deleteFrames = db.prepare('delete from frame where lsn < ?')
const insertSession = db.prepare('insert into session (no, id) values (?, ?)')
const insertName = db.prepare('insert into name (name, session, seq) values (?, ?, ?)')
const insertDamaged = db.prepare('insert or ignore into damaged_frame (lsn, damage, body) values (?, ?, ?)')
const selectSession = db.prepare('select id from session where no = ?')
const selectLast = db.prepare(
  'select first, last, link from segment where session = ? order by first desc limit 1',
)

const witnessPath = join(folder, 'journal.witness')
const remembered = readWitness(witnessPath) ?? emptyWitness()
// Slots of a log that has been emptied, in case the process died before it could say so.
if (walSalt(`${path}-wal`) === undefined) remembered.slots = new Uint32Array()
if (remembered.pages.length === 0) remembered.pages = pageSums(path)
const witness = openWitness(witnessPath, remembered)
const checkpointing = createCheckpointing(db, path, witness, reach)
const packing = createPacking(db)
const tails = createHotTails(startOf)
const reached = new Map<WriterStep, number>()

let lsn = 0
let packed: Packed[] = []
let dirtyPages = 0
let lastCommit = Date.now()
let packTimer: NodeJS.Timeout | undefined

const tell = (message: FromWriter) => parentPort?.postMessage(message)

function startOf(no: number): TailStart {
  const session = String(selectSession.get(no)?.['id'])
  const row = selectLast.get(no)
  if (row === undefined) return freshStart(session)
  const { first, last, link } = row as { first: number; last: number; link: Uint8Array }
  return { session, link: Buffer.from(link), last: { first, last } }
}

/** The tails live on from what the hot journal holds; damaged frames are put aside for `verify` to report. */
function rebuildTails() {
  const now = Date.now()
  for (const frame of Array.from(readHotFrames(db))) {
    lsn = frame.lsn
    if ('runs' in frame) for (const run of frame.runs) restore(run, now)
    else insertDamaged.run(lsn, frame.damage, frame.body)
  }
}

/** A run is packed whole or not at all, because a tail is packed at the end of a commit. */
function restore(run: Run, now: number) {
  const packedUntil = startOf(run.session).last?.last ?? 0
  if (lastOf(run) > packedUntil) tails.add(run, lsn, now)
}

function reach(step: WriterStep) {
  if (fault === null) return
  const times = (reached.get(step) ?? 0) + 1
  reached.set(step, times)
  if (fault.step === step && fault.occurrence === times) process.kill(process.pid, 'SIGKILL')
}

function inTransaction(work: () => void) {
  db.exec('begin immediate')
  try {
    work()
    reach('before-commit')
    db.exec('commit')
    reach('after-commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/** Saves the segments made so far, and forgets the frames that are packed with them; on failure as if never asked. */
function saveSegments() {
  if (packed.length === 0) return
  db.exec('savepoint segments')
  try {
    for (const one of packed) packing.save(one)
    const below = oldestUnpacked()
    if (below > lsn || packed.length >= 4) deleteFrames.run(below)
    db.exec('release segments')
  } catch (error) {
    packed = []
    // A full disk may end the transaction and, with it, the commit that these segments rode along with.
    if (!db.isTransaction) throw error
    db.exec('rollback to segments; release segments')
    trouble(error)
  }
}

/** The first frame that is still needed once the segments made so far are saved. */
function oldestUnpacked(): number {
  return tails.oldestLsn(lsn + 1, new Map(packed.map(one => [one.tail, one])))
}

function forgetPacked() {
  if (packed.length === 0) return
  for (const { tail, runs, first, last, lsn: until } of packed)
    tails.settled(tail, runs, { first, last }, until)
  tell({ type: 'settled', sessions: packed.map(({ tail, last }) => [tail.no, last]) })
  packed = []
}

function commit({ batch, creates, names, writes }: Commit) {
  reach('batch-received')
  const cut = cutBatch(batch)
  const { runs } = cut
  const refused: (readonly [number, string])[] = []
  const next = lsn + 1
  let bytes = 0
  try {
    inTransaction(() => {
      for (const [no, id] of creates) insertSession.run(no, id)
      for (const name of names) insertName.run(...name)
      if (runs.length > 0) {
        const body = encodeFrame(cut)
        bytes = body.length
        insertFrame.run(next, body)
      }
      reach('frame-inserted')
      refused.push(...sideWrites(writes))
      saveSegments()
      reach('segments-inserted')
    })
  } catch (error) {
    const { code, message } = describeFailure(error, folder)
    tell({ type: 'failed', code, message })
    return
  }
  if (runs.length > 0) lsn = next
  tell({ type: 'committed', refused })
  reach('after-acknowledge')
  lastCommit = Date.now()
  for (const run of runs) tails.add(run, lsn, lastCommit)
  afterCommit(bytes)
}

/** A side write that SQLite refuses must not take the batch with it; a full disk must. */
function sideWrites(writes: Commit['writes']): readonly (readonly [number, string])[] {
  return writes.flatMap(([sql, parameters], index) => {
    try {
      db.prepare(sql).run(...parameters)
      return []
    } catch (error) {
      if (!db.isTransaction || describeFailure(error, folder).code === 'disk-full') throw error
      return [[index, (error as Error).message] as const]
    }
  })
}

function afterCommit(bytes: number) {
  const packedBytes = packed.reduce(
    (sum, { segment }) => sum + segment.events.length + segment.raws.length,
    0,
  )
  dirtyPages += Math.ceil((bytes + packedBytes) / 4096) + 2 + packed.length * 4
  forgetPacked()
  setImmediate(packNext)
  if (dirtyPages >= checkpointPages) attempt(() => checkpoint(false))
}

/** Packs one due tail at a time, so that a commit never waits for more than one. */
function packNext() {
  const tail = tails.nextDue()
  if (tail !== undefined) {
    attempt(() => pack(tail))
    setImmediate(packNext)
  }
  // Usually the next commit takes the segments along; when none comes they get one of their own.
  if (packed.length > 0) packTimer ??= setTimeout(savePacked, packedWait)
}

function pack(tail: Tail) {
  // Already packed and not yet saved: what came since then is looked at after that.
  if (packed.some(one => one.tail === tail)) return
  const one = packing.pack(tail, lsn)
  if (one !== undefined) packed.push(one)
}

function savePacked() {
  packTimer = undefined
  if (packed.length === 0) return
  attempt(() => {
    inTransaction(saveSegments)
    afterCommit(0)
  })
}

function checkpoint(empty: boolean) {
  reach('before-checkpoint')
  checkpointing.run(empty)
  dirtyPages = 0
  reach('after-witness')
}

/** Work beside the commits: when it fails, nothing is lost, it is said, and done again later. */
function attempt(work: () => void) {
  try {
    work()
  } catch (error) {
    trouble(error)
  }
}

function trouble(error: unknown) {
  const { code, message } = describeFailure(error, folder)
  tell({ type: 'trouble', code, message })
}

function tick() {
  attempt(() => {
    tails.age(Date.now())
    packNext()
    mark()
    if (dirtyPages > 0 && Date.now() - lastCommit > idleAfter) {
      db.exec('pragma incremental_vacuum(1000)')
      checkpoint(true)
      mark()
    }
  })
}

function mark() {
  const changed = tails.takeChanged()
  if (changed.length === 0 && dirtyPages === 0) return
  const heads = changed.map((tail): [number, Head] => [
    tail.no,
    { session: tail.session, seq: headOf(tail), link: tail.link.toString('hex') },
  ])
  checkpointing.mark(new Map(heads))
}

function close() {
  clearInterval(ticking)
  clearTimeout(packTimer)
  attempt(() => {
    savePacked()
    tails.age(Number.POSITIVE_INFINITY)
    for (let tail = tails.nextDue(); tail !== undefined; tail = tails.nextDue()) pack(tail)
    savePacked()
    deleteFrames.run(tails.oldestLsn(lsn + 1))
    db.exec('pragma incremental_vacuum')
    checkpoint(true)
    mark()
  })
  db.close()
  witness[Symbol.dispose]()
  tell({ type: 'closed' })
}

rebuildTails()
const ticking = setInterval(tick, 500)

parentPort?.on('message', (message: ToWriter) => {
  switch (message.type) {
    case 'commit':
      commit(message)
      return
    case 'rest':
      for (const no of message.sessions) tails.rest(no)
      packNext()
      return
    case 'close':
      close()
      parentPort?.close()
      return
  }
})
