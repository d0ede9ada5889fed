import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Bell, Journal } from '../journal.ts'
import { createAddresses } from '../format/address.ts'
import { startCommitter } from './committer.ts'
import { openDatabase, prepareFolder } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { mendHotJournal } from './hot-frames.ts'
import { trimTail } from './session-tail.ts'
import { createSessionTails } from './session-tails.ts'
import { restoreTails } from './restore-tails.ts'
import { journalComponent, type Component } from './schema.ts'
import { createSqliteJournal } from './sqlite-journal.ts'
import { finishSalvage, isBroken, salvage } from './salvage.ts'
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
  /** Tells other processes that want the folder where to reach this one. */
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
  const witness = callWitness(folder, onTrouble)
  finishSalvage(folder)
  const wasBroken = isBroken(join(folder, 'journal.db'), witness)
  if (wasBroken) onTrouble(salvaged(folder, salvage(folder, [journalComponent, ...components], witness)))
  // Stays open to the end: when the last connection closes, SQLite moves the log unseen by the witness.
  const db = openDatabase(folder, [journalComponent, ...components], witness)
  const broken = Promise.withResolvers<DragomanError>()
  opened.defer(() => db.close())

  mendHotJournal(db)
  const pad = db.prepare("select value from setting where name = 'pad'").get()?.['value'] as Uint8Array
  const addresses = createAddresses(pad)
  const witnessed = (no: number) => witness.heads.get(no)?.seq ?? 0
  const tails = createSessionTails(reader, addresses, witnessed, now)
  const restored = restoreTails(db, addresses, witnessed, now())
  for (const tail of restored) tails.add(tail)
  const lastNo = Number(db.prepare('select coalesce(max(no), 0) as no from session').get()?.['no'])

  const committer = opened.use(
    startCommitter(
      writer,
      { folder, durability, fault, maxPages, checkpointPages },
      {
        saved: tail => bell.ring(tail.session),
        settled(no, seq) {
          const tail = tails.byNumber(no)
          if (tail !== undefined) trimTail(tail, seq)
        },
        trouble: onTrouble,
        broken: broken.resolve,
      },
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
    recent: wasBroken ? sessionsOf(db) : restored.map(tail => tail.session),
    announce: url => lock.announce(url),
    health: () => committer.health() ?? reader.health(),
    broken: broken.promise,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** What the witness knows; it is there before the database, so that its absence later means something. */
function callWitness(folder: string, onTrouble: (error: DragomanError) => void): WitnessState {
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
    `${damagedLines} tails of ${path} are damaged, so it is made anew. Stop, and run "dragoman verify" to see what is affected.`,
  )

const unwitnessed = (path: string, known: WitnessState | undefined) =>
  new DragomanError(
    'session-damaged',
    `The file ${path} ${known === undefined ? 'is missing' : 'cannot be read'}, so it is created again. ` +
      'Earlier damage may go unnoticed. Compare with a backup if you have one.',
  )

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
