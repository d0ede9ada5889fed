import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { EntryId } from '../../protocol/ids.ts'
import type { Times } from '../journal.ts'
import type { SessionTail } from './session-tail.ts'
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
  /** The same with the raws between. */
  readonly texts: readonly string[]
  /** For each event the length of its JSON, and of its raw or -1. */
  readonly lengths: readonly number[]
  /** Characters in all texts. */
  readonly size: number
  readonly promise: PromiseWithResolvers<readonly Entry[]>
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
  const texts: string[] = []
  const lengths: number[] = []
  let size = 0
  for (const event of wish.events) {
    const { json, raw } = splitEvent(event)
    jsons.push(json)
    texts.push(json)
    if (raw !== null) texts.push(raw)
    lengths.push(json.length, raw === null ? -1 : raw.length)
    size += json.length + (raw?.length ?? 0)
  }
  return { ...wish, jsons, texts, lengths, size, promise: Promise.withResolvers() }
}

/** Takes wishes off the front until there are enough for a full batch. */
export function takeBatch(gathering: Pending[]): readonly Pending[] {
  let size = 0
  const last = gathering.findIndex(wish => (size += wish.size) >= fullBatch)
  return gathering.splice(0, last < 0 ? gathering.length : last + 1)
}

/** Puts wishes into one commit, those of one session next to each other, and numbers them. */
export function toCommit(wishes: readonly Pending[], writes: readonly SideWrite[], epoch: number): Commit {
  const texts: string[] = []
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
      count = addNumbers(numbers, count, wish)
      for (const text of wish.texts) texts.push(text)
    }
  }
  const batch = { text: texts.join(''), numbers: new Float64Array(numbers), ids }
  return { type: 'commit', epoch, batch, creates, names, writes: writes.map(write => write.batch) }
}

/** Adds the numbers of a wish to a batch; `count` is the place of the count of the session's current run, or -1. */
function addNumbers(
  numbers: number[],
  count: number,
  { tail, events, at, times, lengths, id }: Pending,
): number {
  let place = count
  for (let i = 0; i < events.length; i++) {
    // A run is packed whole, so a long one would make a segment that is slow to read from.
    if (place < 0 || numbers[place] === longestRun) place = numbers.push(tail.no, tail.next, 0) - 1
    numbers[place] = (numbers[place] ?? 0) + 1
    const given = i === 0 && id !== undefined ? 1 : 0
    numbers.push(times?.[i] ?? at, lengths[i * 2] ?? 0, lengths[i * 2 + 1] ?? -1, given)
    tail.next += 1
  }
  return place
}

/** The name under which a given id is kept unique. */
export const idName = (id: string): string => `id ${id}`

/** Adds a saved wish to the tail of its session. */
export function advance({ tail, events, jsons, at: saved, times, id }: Pending): readonly Entry[] {
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
