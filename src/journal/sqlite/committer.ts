import type { Worker } from 'node:worker_threads'
import type { Bell } from '../journal.ts'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import {
  addToTail,
  fullBatch,
  isLarge,
  prepare,
  prepareInSlices,
  takeBatch,
  toCommit,
  type Pending,
  type SideWrite,
  type Wish,
} from './batch.ts'
import type { SessionTails } from './session-tails.ts'
import type { TableBatch } from './tables.ts'
import type { FromWriter, ToWriter, WriterOptions } from './writer-messages.ts'

/** Saves wishes of all sessions in group commits. */
export interface Committer extends AsyncDisposable {
  save(wish: Wish): Promise<readonly Entry[]>
  write(batch: TableBatch): Promise<void>
  rest(no: number): void
  /** Why nothing can be saved at the moment; null when it can be. */
  health(): DragomanError | null
}

/** The parts that a committer reports to. */
export interface CommitterOutputs {
  /** Wakes the followers of a session whose entries are saved and in its tail. */
  readonly bell: Bell
  readonly tails: SessionTails
  readonly trouble: (error: DragomanError) => void
  /** Nothing can be saved any more. */
  readonly broken: (error: DragomanError) => void
}

/** A batch on its way to the disk. */
interface Flight {
  readonly wishes: readonly Pending[]
  readonly writes: readonly SideWrite[]
  readonly sentAt: number
}

/** From this many characters on, a batch is sent without waiting for the end of the turn of the event loop. */
const largeBatch = fullBatch / 8

/** A writer that takes longer for one commit hangs, on its disk for example. */
const hangsAfter = 10_000

/**
 * Natural batching: when idle a wish is sent at the end of the turn, or at once if it is large; while a commit runs wishes gather, and its end sends them
 * all. It needs no interval tuned to the disk, and nothing waits longer than one commit. Only under load, when a
 * whole batch has gathered, the next one is sent ahead, so that the disk never waits for a busy main thread.
 */
export function startCommitter(worker: Worker, options: WriterOptions, outputs: CommitterOutputs): Committer {
  const { bell, tails, trouble } = outputs
  const gathering: Pending[] = []
  let sideWrites: SideWrite[] = []
  let gathered = 0
  const flights: Flight[] = []
  let isScheduled = false
  let epoch = 0
  let skipped = 0
  let resting: number[] = []
  let closing: PromiseWithResolvers<void> | undefined
  let broken: DragomanError | undefined
  let failing: DragomanError | null = null

  const send = (message: ToWriter, transfer: readonly ArrayBuffer[] = []) =>
    worker.postMessage(message, [...transfer])

  const flush = () => {
    isScheduled = false
    if (broken !== undefined || flights.length > 1 || (flights.length === 1 && gathered < fullBatch)) return
    if (gathering.length === 0 && sideWrites.length === 0) {
      if (closing !== undefined) send({ type: 'close' })
      return
    }
    const flight = { wishes: takeBatch(gathering), writes: sideWrites, sentAt: performance.now() }
    sideWrites = []
    gathered -= flight.wishes.reduce((sum, { size }) => sum + size, 0)
    flights.push(flight)
    const commit = toCommit(flight.wishes, flight.writes, epoch)
    worker.ref()
    send(commit, [commit.batch.numbers.buffer, commit.batch.bytes.buffer])
  }
  const schedule = () => {
    if (isScheduled || (flights.length > 0 && gathered < fullBatch)) return
    isScheduled = true
    setImmediate(flush)
  }

  const accept = (refused: readonly (readonly [number, string])[]) => {
    const flight = flights.shift()
    if (flight === undefined) return
    const saved = flight.wishes.map(addToTail)
    // The next batch is sent before followers are woken for this one, so that the disk never waits for readers.
    flush()
    for (const tail of new Set(flight.wishes.map(wish => wish.tail))) bell.ring(tail.session)
    for (const [index, { promise }] of flight.wishes.entries()) promise.resolve(saved[index] ?? [])
    settleWrites(flight.writes, refused)
    // Closing waits for the writer's message, and only the writer can keep the process alive for that.
    if (flights.length === 0 && closing === undefined) worker.unref()
  }
  /** A batch that was sent ahead is numbered after the failed one. The writer refuses it too, so its answer is skipped. */
  const refuseAll = (error: DragomanError) => {
    const failed = flights.splice(0)
    skipped += Math.max(0, failed.length - 1)
    epoch += 1
    for (const { tail } of failed.flatMap(({ wishes }) => wishes)) tail.next = tail.head + 1
    // Rows that gathered meanwhile build on those that failed: saved alone, they would hide that something is missing.
    const rows = sideWrites.splice(0)
    for (const { promise } of [...failed.flatMap(({ wishes, writes }) => [...wishes, ...writes]), ...rows])
      promise.reject(error)
  }
  const breakDown = (reason: DragomanError) => {
    if (broken !== undefined) return
    broken = reason
    refuseAll(broken)
    for (const { promise } of gathering.splice(0)) promise.reject(broken)
    if (closing === undefined) outputs.broken(broken)
    closing?.resolve()
  }
  const reportHealth = ({ failure }: Extract<FromWriter, { readonly type: 'health' }>) => {
    failing = failure && new DragomanError(failure.code, failure.message)
    if (failing?.code === 'data-folder-gone') breakDown(failing)
    else if (failing !== null) trouble(failing)
  }

  worker.on('message', (message: FromWriter) => {
    switch (message.type) {
      case 'committed':
        return accept(message.refused)
      case 'failed':
        if (skipped > 0) return void (skipped -= 1)
        refuseAll(new DragomanError(message.code, message.message))
        return flush()
      case 'settled':
        return message.sessions.forEach(([no, seq]) => tails.packed(no, seq))
      case 'trouble':
        return trouble(new DragomanError(message.code, message.message))
      case 'health':
        return reportHealth(message)
      case 'closed':
        return closing?.resolve()
    }
  })
  worker.on('error', reason => breakDown(writerDead(reason)))
  worker.on('exit', () => breakDown(closing === undefined ? writerDead() : closed()))
  worker.unref()
  send({ type: 'open', options })

  const refuseWhenClosed = () => {
    if (broken !== undefined || closing !== undefined) throw broken ?? closed()
  }

  return {
    async save(wish) {
      refuseWhenClosed()
      // Only the first events of a session can wait: nothing of it comes before or after them meanwhile.
      const pending = wish.isNew === true && isLarge(wish) ? await prepareInSlices(wish) : prepare(wish)
      refuseWhenClosed()
      gathering.push(pending)
      gathered += pending.size
      // A large batch gains nothing from waiting for others, and the disk can work meanwhile.
      if (flights.length === 0 && gathered >= largeBatch) queueMicrotask(flush)
      else schedule()
      return pending.promise.promise
    },
    async write(batch) {
      refuseWhenClosed()
      const promise = Promise.withResolvers<void>()
      sideWrites.push({ batch, promise })
      schedule()
      return promise.promise
    },
    rest(no) {
      if (resting.push(no) > 1) return
      setImmediate(() => {
        send({ type: 'rest', sessions: resting })
        resting = []
      })
    },
    health() {
      const [first] = flights
      const hangs = first !== undefined && performance.now() - first.sentAt > hangsAfter
      return broken ?? failing ?? (hangs ? hanging() : null)
    },
    async [Symbol.asyncDispose]() {
      closing ??= Promise.withResolvers()
      if (broken !== undefined) closing.resolve()
      worker.ref()
      schedule()
      await closing.promise
      await worker.terminate()
    },
  }
}

function settleWrites(writes: readonly SideWrite[], refused: readonly (readonly [number, string])[]) {
  const reasons = new Map(refused)
  for (const [index, { promise }] of writes.entries()) {
    const reason = reasons.get(index)
    if (reason === undefined) promise.resolve()
    else promise.reject(new DragomanError('save-failed', `The database rejected a row: ${reason}.`))
  }
}

const closed = () => new DragomanError('journal-closed', 'The journal is closed.')

const writerDead = (cause?: unknown) =>
  new DragomanError(
    'writer-dead',
    'The thread that saves the journal has stopped, so nothing more can be saved. ' +
      'Saved data is safe. Restart the server.',
    { cause },
  )

const hanging = () =>
  new DragomanError(
    'journal-unreachable',
    `The disk has not responded for ${hangsAfter / 1000} seconds. Check the disk with the data folder.`,
  )
