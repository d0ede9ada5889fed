import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Bell, Journal } from '../journal.ts'
import { createAddresses, type Addresses } from '../format/address.ts'
import { startCommitter } from './committer.ts'
import { openDatabase, prepareFolder } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { createSessionTails, sessionDamaged, type SessionTail } from './session-tails.ts'
import { restoreTails } from './restore-tails.ts'
import { journalComponent, type Component } from './schema.ts'
import { createSqliteJournal } from './sqlite-journal.ts'
import { needsSalvage } from './needs-salvage.ts'
import { finishSalvage, salvage } from './salvage.ts'
import { describeFailure, isCorruption } from './sqlite-failure.ts'
import type { Tables } from './tables.ts'
import { startReader, startThread } from './threads.ts'
import { emptyWitness, openWitness, readWitness, type WitnessState } from './witness.ts'
import type { Fault } from './writer-messages.ts'

/** How a journal on SQLite is opened. */
export interface SqliteJournalOptions {
  readonly folder: string
  readonly bell: Bell
  /** `full`, the default, survives a loss of power; `fast` only the death of the process. */
  readonly durability?: 'full' | 'fast'
  /** The command that opens it, for the message to other processes that want it meanwhile. */
  readonly command?: string
  /** Other tables in the same database. */
  readonly components?: readonly Component[]
  readonly now?: () => number
  /** Called when work beside the commits failed and will be retried. */
  readonly onTrouble?: (error: DragomanError) => void
  /** For tests: see `WriterOptions`. */
  readonly fault?: Fault
  readonly maxPages?: number
  readonly checkpointPages?: number
}

/** A journal in a data folder of this machine. */
export interface SqliteJournal extends Journal, AsyncDisposable {
  /** The other tables in the same database. */
  readonly tables: Tables
  /** The sessions used last: those with entries that were not packed. After a salvage, all of them. */
  readonly recent: readonly SessionId[]
  /** Publishes the URL of this process for other processes that want the folder. */
  announce(url: string): void
  /** Why nothing can be saved or read at the moment; null when all is well. */
  health(): DragomanError | null
  /** Resolves when nothing can be saved any more: the folder is gone, or the thread that saves. */
  readonly broken: Promise<DragomanError>
}

const forgetAfter = 60_000

/** Opens the journal in a data folder. A second process is refused. */
export async function openSqliteJournal(options: SqliteJournalOptions): Promise<SqliteJournal> {
  const { folder, bell, durability = 'full', components = [], now = Date.now } = options
  const { onTrouble = () => {}, fault = null, maxPages = null, checkpointPages = 1000 } = options
  prepareFolder(folder)
  await using opened = new AsyncDisposableStack()
  const lock = opened.use(lockFolder(folder, options.command))
  // Threads take a while to start; they do so while the database is opened and checked.
  const reader = opened.use(startReader(folder))
  const writer = startThread('writer', undefined)
  opened.defer(() => writer.terminate().then(() => undefined))
  const witness = readOrCreateWitness(folder, onTrouble)
  const witnessed = (no: number) => witness.heads.get(no)?.seq ?? 0
  const stored = readStored({ folder, components, witness, onTrouble }, (db, addresses) =>
    restoreTails(db, addresses, witnessed, now()),
  )
  const { addresses, lastNo } = stored
  reportLosses(stored, witness, onTrouble)
  // Stays open to the end: when the last connection closes, SQLite moves the log unseen by the witness.
  opened.defer(() => stored.db.close())
  const tails = createSessionTails(reader, addresses, witnessed, now)
  for (const tail of stored.tails) tails.add(tail)
  const broken = Promise.withResolvers<DragomanError>()

  const committer = opened.use(
    startCommitter(
      writer,
      { folder, durability, fault, maxPages, checkpointPages },
      { bell, tails, trouble: onTrouble, broken: broken.resolve },
    ),
  )
  const forgetting = setInterval(() => tails.forgetUnused(now() - forgetAfter), forgetAfter).unref()
  opened.defer(() => clearInterval(forgetting))

  const journal = createSqliteJournal({ tails, reader, committer, addresses, lastNo, now })
  const resources = opened.move()
  return {
    ...journal,
    tables: {
      write: batch => committer.write(batch),
      read: (sql, parameters) => reader.ask({ type: 'rows', sql, parameters }),
    },
    recent: stored.recent,
    announce: url => lock.announce(url),
    health: () => committer.health() ?? reader.health(),
    broken: broken.promise,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Reads the witness, or creates it. It is created before the database, so that a missing witness is a sign of damage. */
function readOrCreateWitness(folder: string, onTrouble: (error: DragomanError) => void): WitnessState {
  const path = join(folder, 'journal.witness')
  const known = readWitness(path)
  if (known !== undefined && known.damagedLines > 0 && known.isReadable)
    onTrouble(damagedWitness(path, known))
  if (known?.isReadable === true) return known
  if (existsSync(join(folder, 'journal.db'))) onTrouble(unwitnessed(path, known))
  const { state, [Symbol.dispose]: close } = openWitness(path, emptyWitness())
  close()
  return state
}

const damagedWitness = (path: string, { damagedLines }: WitnessState) =>
  new DragomanError(
    'session-damaged',
    `Damaged lines in ${path}: ${damagedLines}. The file is created again. Stop Dragoman and run "dragoman verify" to see what is affected.`,
  )

const unwitnessed = (path: string, known: WitnessState | undefined) =>
  new DragomanError(
    'session-damaged',
    `The file ${path} ${known === undefined ? 'is missing' : 'cannot be read'}, so it is created again. ` +
      'Earlier damage may go unnoticed. Compare with a backup if you have one.',
  )

interface Stored {
  readonly db: DatabaseSync
  readonly addresses: Addresses
  /** The sessions with entries that were not packed. */
  readonly tails: readonly SessionTail[]
  readonly recent: readonly SessionId[]
  /** The number of the newest session. */
  readonly lastNo: number
}

interface Place {
  readonly folder: string
  readonly components: readonly Component[]
  readonly witness: WitnessState
  readonly onTrouble: (error: DragomanError) => void
}

type RestoreTails = (db: DatabaseSync, addresses: Addresses) => readonly SessionTail[]

/** Opens the database and reads what must be in memory. A database that is too damaged for that is salvaged first. */
function readStored({ folder, witness, onTrouble, ...place }: Place, restore: RestoreTails): Stored {
  const components = [journalComponent, ...place.components]
  finishSalvage(folder)
  let isSalvaged = false
  const salvageNow = () => {
    isSalvaged = true
    onTrouble(salvaged(folder, salvage(folder, components, witness)))
  }
  const openAndRead = (): Stored => {
    using closing = new DisposableStack()
    const db = closing.use(openDatabase(folder, components, witness))
    const pad = db.prepare("select value from setting where name = 'pad'").get()?.['value'] as Uint8Array
    const addresses = createAddresses(pad)
    const tails = restore(db, addresses)
    // The number of a session that was lost is not used again.
    const lastNo = [...witness.heads.keys()].reduce((last, no) => Math.max(last, no), maxNo(db))
    const recent = isSalvaged ? sessionsOf(db) : tails.map(tail => tail.session)
    closing.move()
    return { db, addresses, tails, recent, lastNo }
  }
  try {
    if (needsSalvage(folder, components, witness)) salvageNow()
    try {
      return openAndRead()
    } catch (error) {
      if (isSalvaged || !isCorruption(error)) throw error
      salvageNow()
      return openAndRead()
    }
  } catch (error) {
    throw describeFailure(error, folder)
  }
}

const maxNo = (db: DatabaseSync) =>
  Number(db.prepare('select coalesce(max(no), 0) as no from session').get()?.['no'])

/** Reports the sessions that are not complete, as far as that shows without reading all of them. */
function reportLosses(
  { db, tails }: Stored,
  { heads }: WitnessState,
  onTrouble: (error: DragomanError) => void,
): void {
  for (const tail of tails)
    if (tail.damage !== null) onTrouble(sessionDamaged({ ...tail, damage: tail.damage }))
  const known = new Set(
    db
      .prepare('select no from session')
      .all()
      .map(row => Number(row['no'])),
  )
  for (const [no, { session, seq }] of heads)
    if (!known.has(no))
      onTrouble(sessionDamaged({ session, damage: `all of its ${seq} entries are missing` }))
}

const sessionsOf = (db: DatabaseSync) =>
  db
    .prepare('select id from session')
    .all()
    .map(row => row['id'] as SessionId)

const salvaged = (folder: string, kept: string) =>
  new DragomanError(
    'session-damaged',
    `The database in ${folder} was broken. All readable data was moved to a new one, and the broken files are kept ` +
      `in ${kept}. Run "dragoman verify" to see which sessions lost data.`,
  )
