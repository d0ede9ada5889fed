import { setImmediate } from 'node:timers/promises'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { EntryId } from '../../protocol/ids.ts'
import type { Times } from '../journal.ts'
import type { SessionTail } from './session-tails.ts'
import { splitEvent } from '../format/run.ts'
import type { TableBatch } from './tables.ts'
import type { Commit } from './writer-messages.ts'

/** Events of one session to save together. */
export interface Wish {
  readonly tail: SessionTail
  readonly events: readonly Event[]
  readonly at: number
  /** When each of them happened, where that was before `at`. */
  readonly times?: Times | undefined
  /** Whether these are the first events of a new session. */
  readonly isNew?: boolean
  readonly id?: EntryId | undefined
  readonly name?: string | undefined
}

/** A wish that waits for its commit. */
export interface Pending extends Wish {
  /** The JSON of each event, without its raw. */
  readonly jsons: readonly string[]
  /** The raw of each event, if it has one. */
  readonly raws: readonly (string | null)[]
  /** Characters in all of them. */
  readonly size: number
  /** The texts as they are saved, if they were encoded in advance. */
  readonly encoded?: Encoded
  readonly promise: PromiseWithResolvers<readonly Entry[]>
}

/** Texts as UTF-8, one after another. */
interface Encoded {
  readonly bytes: Uint8Array
  /** For each event, the bytes of its JSON and of its raw, or -1 without one. */
  readonly lengths: readonly number[]
}

/** A batch of rows for other tables that goes along with a commit. */
export interface SideWrite {
  readonly batch: TableBatch
  readonly promise: PromiseWithResolvers<void>
}

/** How many characters make a full batch. */
export const fullBatch = 512 * 1024

const longestRun = 256

/** Turns a wish into what is saved of it. */
export function prepare(wish: Wish): Pending {
  const jsons: string[] = []
  const raws: (string | null)[] = []
  let size = 0
  for (const event of wish.events) {
    const { json, raw } = splitEvent(event)
    jsons.push(json)
    raws.push(raw)
    size += json.length + (raw?.length ?? 0)
  }
  return { ...wish, jsons, raws, size, promise: Promise.withResolvers() }
}

const eventsAtOnce = 500

/** Whether a wish is so large that preparing it at once would block other work. */
export const isLarge = ({ events }: Wish): boolean => events.length > eventsAtOnce

/** Prepares a large wish in slices, and encodes its texts, which takes as long. Other work runs in between. */
export async function prepareInSlices(wish: Wish): Promise<Pending> {
  const texts = createTextWriter(fullBatch)
  const [jsons, raws, lengths]: [string[], (string | null)[], number[]] = [[], [], []]
  let size = 0
  for (let from = 0; from < wish.events.length; from += eventsAtOnce) {
    if (from > 0) await setImmediate()
    const slice = prepare({ ...wish, events: wish.events.slice(from, from + eventsAtOnce) })
    jsons.push(...slice.jsons)
    raws.push(...slice.raws)
    for (const [index, json] of slice.jsons.entries())
      lengths.push(texts.write(json), writeRaw(texts, slice.raws[index]))
    size += slice.size
  }
  const encoded = { bytes: texts.written(), lengths }
  return { ...wish, jsons, raws, size, encoded, promise: Promise.withResolvers() }
}

/** Takes wishes off the front until there are enough for a full batch. */
export function takeBatch(gathering: Pending[]): readonly Pending[] {
  let size = 0
  const last = gathering.findIndex(wish => (size += wish.size) >= fullBatch)
  return gathering.splice(0, last < 0 ? gathering.length : last + 1)
}

/** Writes texts one after another as UTF-8 into a buffer that another thread can take over. */
interface TextWriter {
  /** Returns how many bytes the text takes. */
  write(text: string): number
  /** Adds texts that are encoded already. */
  add(bytes: Uint8Array): void
  /** The texts so far. */
  written(): Uint8Array
  /** The whole buffer; there may be unused bytes behind the texts. */
  done(): Uint8Array<ArrayBuffer>
}

/** A writer for texts with the given number of characters in total. */
function createTextWriter(characters: number): TextWriter {
  // Most texts are ASCII.
  let buffer = Buffer.allocUnsafeSlow(characters + (characters >> 4))
  let length = 0

  const reserve = (size: number) => {
    const needed = length + size
    if (needed <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(needed + buffer.length)
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }

  return {
    write(text) {
      if (buffer.length - length < text.length * 3) reserve(Buffer.byteLength(text))
      const written = buffer.write(text, length)
      length += written
      return written
    },
    add(bytes) {
      reserve(bytes.length)
      buffer.set(bytes, length)
      length += bytes.length
    },
    written: () => buffer.subarray(0, length),
    done: () => buffer,
  }
}

/** Puts wishes into one commit, those of one session next to each other, and numbers them. */
export function toCommit(wishes: readonly Pending[], writes: readonly SideWrite[], epoch: number): Commit {
  const texts = createTextWriter(wishes.reduce((sum, { size }) => sum + size, 0))
  const numbers: number[] = []
  const ids: string[] = []
  const names: Commit['names'][number][] = []
  const creates: Commit['creates'][number][] = []
  for (const [tail, own] of Map.groupBy(wishes, wish => wish.tail)) {
    if (own[0]?.isNew === true) creates.push([tail.no, tail.session])
    let count = -1
    for (const wish of own) {
      if (wish.name !== undefined) names.push([wish.name, tail.no, tail.next])
      if (wish.id !== undefined) {
        names.push([idName(wish.id), tail.no, tail.next])
        ids.push(wish.id)
      }
      count = addEntries(texts, numbers, count, wish)
    }
  }
  const batch = { bytes: texts.done(), numbers: new Float64Array(numbers), ids }
  return { type: 'commit', epoch, batch, creates, names, writes: writes.map(write => write.batch) }
}

/** Adds the entries of a wish to a batch; `count` is the place of the count of the session's current run, or -1. */
function addEntries(
  texts: TextWriter,
  numbers: number[],
  count: number,
  { tail, jsons, raws, at, times, id, encoded }: Pending,
): number {
  let place = count
  if (encoded !== undefined) texts.add(encoded.bytes)
  for (let i = 0; i < jsons.length; i++) {
    // A run is packed whole, so a long one would make a segment that is slow to read from.
    if (place < 0 || numbers[place] === longestRun) place = numbers.push(tail.no, tail.next, 0) - 1
    numbers[place] = (numbers[place] ?? 0) + 1
    const given = i === 0 && id !== undefined ? 1 : 0
    numbers.push(times?.[i] ?? at, encoded?.lengths[i * 2] ?? texts.write(jsons[i] ?? ''))
    numbers.push(encoded?.lengths[i * 2 + 1] ?? writeRaw(texts, raws[i]), given)
    tail.next += 1
  }
  return place
}

const writeRaw = (texts: TextWriter, raw: string | null = null) => (raw === null ? -1 : texts.write(raw))

/** The name under which a given id is kept unique. */
export const idName = (id: string): string => `id ${id}`

/** Adds a saved wish to the tail of its session. */
export function addToTail({ tail, events, jsons, at: saved, times, id }: Pending): readonly Entry[] {
  const entries = events.map((event, index): Entry => {
    const seq = tail.head + index + 1
    const at = times?.[index] ?? saved
    const given = index === 0 ? id : undefined
    return { session: tail.session, seq, id: given ?? tail.idOf(seq, at), at, event }
  })
  tail.head += events.length
  for (const entry of entries) tail.entries.push(entry)
  for (const json of jsons) tail.texts.push(json)
  return entries
}
