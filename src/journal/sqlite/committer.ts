import type { Worker } from 'node:worker_threads'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import type { EntryId } from '../../protocol/ids.ts'
import type { Cell } from '../journal.ts'
import type { Line } from './line.ts'
import { splitEvent } from './run.ts'
import type { Commit, FromWriter, ToWriter, WriterOptions } from './writer-messages.ts'

/** Events of one line that are to be saved together. */
export interface Wish {
  readonly line: Line
  readonly events: readonly Event[]
  readonly at: number
  /** Whether the line is new and begins with these events. */
  readonly isNew?: boolean
  readonly id?: EntryId | undefined
  readonly name?: string | undefined
}

/** Saves wishes of all sessions in group commits, one at a time. */
export interface Committer extends AsyncDisposable {
  save(wish: Wish): Promise<readonly Entry[]>
  write(sql: string, parameters: readonly Cell[]): Promise<void>
  rest(no: number): void
}

/** What a committer tells of. */
export interface CommitterEvents {
  /** Entries are saved and in their line; whoever follows may be woken. */
  readonly saved: (line: Line) => void
  readonly settled: (no: number, seq: number) => void
  readonly trouble: (error: DragomanError) => void
}

interface Pending extends Wish {
  /** The JSON of each event, without its raw. */
  readonly jsons: readonly string[]
  /** The same with the raws between. */
  readonly texts: readonly string[]
  readonly lengths: readonly number[]
  /** Characters in all texts. */
  readonly size: number
  readonly promise: PromiseWithResolvers<readonly Entry[]>
}

interface SideWrite {
  readonly statement: readonly [string, readonly Cell[]]
  readonly promise: PromiseWithResolvers<void>
}

/**
 * Natural batching: when idle a wish is sent at once; while a commit runs wishes gather, and its end sends
 * them all. It needs no interval tuned to the disk, and nothing waits longer than one commit.
 */
export function startCommitter(worker: Worker, options: WriterOptions, events: CommitterEvents): Committer {
  const gathering: Pending[] = []
  let sideWrites: SideWrite[] = []
  let flying: { readonly wishes: readonly Pending[]; readonly writes: readonly SideWrite[] } | undefined
  let isScheduled = false
  let resting: number[] = []
  let closing: PromiseWithResolvers<void> | undefined
  let broken: DragomanError | undefined

  const send = (message: ToWriter, transfer: readonly ArrayBuffer[] = []) =>
    worker.postMessage(message, [...transfer])

  const flush = () => {
    isScheduled = false
    if (flying !== undefined || broken !== undefined) return
    if (gathering.length === 0 && sideWrites.length === 0) {
      if (closing !== undefined) send({ type: 'close' })
      return
    }
    flying = { wishes: takeBatch(gathering), writes: sideWrites }
    sideWrites = []
    const commit = toCommit(flying.wishes, flying.writes)
    worker.ref()
    send(commit, [commit.batch.numbers.buffer])
  }
  const schedule = () => {
    if (isScheduled || flying !== undefined) return
    isScheduled = true
    queueMicrotask(flush)
  }
  const refuse = (error: DragomanError) => {
    const { wishes, writes } = flying ?? { wishes: [], writes: [] }
    flying = undefined
    for (const { promise } of [...wishes, ...writes]) promise.reject(error)
  }

  const accept = (refused: readonly (readonly [number, string])[]) => {
    const { wishes, writes } = flying ?? { wishes: [], writes: [] }
    flying = undefined
    const saved = wishes.map(advance)
    // The next batch leaves before anyone is told of this one, so that the disk never waits for the readers.
    flush()
    for (const line of new Set(wishes.map(wish => wish.line))) events.saved(line)
    for (const [index, { promise }] of wishes.entries()) promise.resolve(saved[index] ?? [])
    const reasons = new Map(refused)
    for (const [index, { promise }] of writes.entries()) {
      const reason = reasons.get(index)
      if (reason === undefined) promise.resolve()
      else promise.reject(new DragomanError('save-failed', `A table refused a row: ${reason}.`))
    }
    if (flying === undefined) worker.unref()
  }

  worker.on('message', (message: FromWriter) => {
    switch (message.type) {
      case 'committed':
        accept(message.refused)
        return
      case 'failed':
        refuse(new DragomanError(message.code, message.message))
        flush()
        return
      case 'settled':
        for (const [no, seq] of message.sessions) events.settled(no, seq)
        return
      case 'trouble':
        events.trouble(new DragomanError(message.code, message.message))
        return
      case 'closed':
        closing?.resolve()
        return
    }
  })
  const breakDown = (reason: unknown) => {
    broken = new DragomanError('journal-closed', 'The journal is closed.', { cause: reason })
    refuse(broken)
    for (const { promise } of [...gathering, ...sideWrites]) promise.reject(broken)
    closing?.resolve()
  }
  worker.on('error', reason => {
    events.trouble(
      new DragomanError('save-failed', `The writer thread failed: ${String(reason)}.`, { cause: reason }),
    )
    breakDown(reason)
  })
  worker.on('exit', breakDown)
  worker.unref()
  send({ type: 'open', options })

  const refusal = () =>
    broken ??
    (closing === undefined ? undefined : new DragomanError('journal-closed', 'The journal is closed.'))

  return {
    save(wish) {
      const error = refusal()
      if (error !== undefined) return Promise.reject(error)
      const promise = Promise.withResolvers<readonly Entry[]>()
      gathering.push({ ...wish, ...encode(wish.events), promise })
      schedule()
      return promise.promise
    },
    write(sql, parameters) {
      const error = refusal()
      if (error !== undefined) return Promise.reject(error)
      const promise = Promise.withResolvers<void>()
      sideWrites.push({ statement: [sql, parameters], promise })
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
    async [Symbol.asyncDispose]() {
      closing ??= Promise.withResolvers()
      worker.ref()
      schedule()
      await closing.promise
      await worker.terminate()
    },
  }
}

const batchLength = Number(process.env['BL'] ?? 256 * 1024)

/**
 * Takes wishes off the front, as many as make a good batch. A larger one would leave the writer idle while it is
 * put together, and the main thread while it is written.
 */
function takeBatch(gathering: Pending[]): readonly Pending[] {
  let length = 0
  const more = gathering.findIndex(({ size }) => (length += size) >= batchLength)
  return gathering.splice(0, more < 0 ? gathering.length : more + 1)
}

function encode(events: readonly Event[]): Pick<Pending, 'jsons' | 'texts' | 'lengths' | 'size'> {
  const jsons: string[] = []
  const texts: string[] = []
  const lengths: number[] = []
  let size = 0
  for (const event of events) {
    const { json, raw } = splitEvent(event)
    jsons.push(json)
    texts.push(json)
    if (raw !== null) texts.push(raw)
    lengths.push(json.length, raw === null ? -1 : raw.length)
    size += json.length + (raw?.length ?? 0)
  }
  return { jsons, texts, lengths, size }
}

/** Puts wishes into one batch, those of a line next to each other, numbered from the line's head. */
function toCommit(wishes: readonly Pending[], writes: readonly SideWrite[]): Commit {
  const byLine = new Map<Line, Pending[]>()
  for (const wish of wishes) {
    const same = byLine.get(wish.line)
    if (same === undefined) byLine.set(wish.line, [wish])
    else same.push(wish)
  }
  const texts: string[] = []
  const numbers: number[] = []
  const ids: string[] = []
  const names: Commit['names'][number][] = []
  const creates: Commit['creates'][number][] = []
  for (const [line, own] of byLine) {
    let seq = line.head + 1
    const counts = own.reduce((sum, wish) => sum + wish.events.length, 0)
    numbers.push(line.no, seq, counts)
    if (own[0]?.isNew === true) creates.push([line.no, line.session])
    for (const { events, at, lengths, id, name, texts: parts } of own) {
      if (name !== undefined) names.push([name, line.no, seq])
      if (id !== undefined) {
        names.push([idName(id), line.no, seq])
        ids.push(id)
      }
      for (let i = 0; i < events.length; i++)
        numbers.push(at, lengths[i * 2] ?? 0, lengths[i * 2 + 1] ?? -1, i === 0 && id !== undefined ? 1 : 0)
      texts.push(...parts)
      seq += events.length
    }
  }
  return {
    type: 'commit',
    batch: { text: texts.join(''), numbers: new Float64Array(numbers), ids },
    creates,
    names,
    writes: writes.map(({ statement }) => statement),
  }
}

/** The name under which a given id is kept unique. */
export const idName = (id: string) => `id ${id}`

/** Moves a line's head over a saved wish. */
function advance({ line, events, jsons, at, id }: Pending): readonly Entry[] {
  const entries = events.map((event, index): Entry => {
    const seq = line.head + index + 1
    const given = index === 0 ? id : undefined
    return { session: line.session, seq, id: given ?? line.idOf(seq, at), at, event }
  })
  line.head += events.length
  line.tail.push(...entries)
  line.texts.push(...jsons)
  return entries
}
