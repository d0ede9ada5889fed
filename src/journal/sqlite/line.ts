import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Naming } from './run.ts'

/** What the main thread remembers of a session in use. */
export interface Line extends Naming {
  readonly no: number
  /** The last entry that is saved. */
  head: number
  /** The number that the next entry to be sent will get; beyond the head while commits run. */
  next: number
  /** The last entry that is packed. */
  packed: number
  /** The newest entries, without holes up to the head: all that are not packed, and some that are. */
  tail: Entry[]
  /** The JSON of their events, without the raws: made to be saved, and good for the wire. */
  texts: string[]
  /** What is wrong with it, if its words were damaged on disk. */
  readonly damage: string | null
  usedAt: number
}

const keptWhenPacked = 128

/** The entries after `after` from memory, or undefined when memory does not reach back that far. */
export function readTail({ head, tail }: Line, after: number, limit: number): readonly Entry[] | undefined {
  const skipped = tail.length - (head - after)
  if (after >= head) return none
  return skipped < 0 ? undefined : tail.slice(skipped, skipped + limit)
}

/** The same as texts. */
export function readTailTexts(line: Line, after: number, limit: number): readonly string[] | undefined {
  const { head, tail, texts } = line
  const entries = readTail(line, after, limit)
  const skipped = tail.length - (head - after)
  return entries?.map((entry, index) => entryText(entry, texts[skipped + index] ?? ''))
}

/** An entry as JSON, from its event's JSON. Ids of sessions and entries hold nothing that JSON would escape. */
export const entryText = ({ session, seq, id, at }: Omit<Entry, 'event'>, event: string): string =>
  `{"session":"${session}","seq":${seq},"id":"${id}","at":${at},"event":${event}}`

const none: readonly Entry[] = []

/** Lets go of entries that a segment holds, but for the last ones, which are asked for most. */
export function trimTail(line: Line, packed: number): void {
  line.packed = Math.max(line.packed, packed)
  const unpacked = line.head - line.packed
  const kept = Math.max(unpacked, keptWhenPacked)
  if (line.tail.length <= kept * 2) return
  line.texts.splice(0, line.tail.length - kept)
  line.tail.splice(0, line.tail.length - kept)
}

/** Refuses a session whose words were damaged, with a sentence that says what to do. */
export function refuseDamaged({ session, damage }: Line): void {
  if (damage === null) return
  throw new DragomanError(
    'session-damaged',
    `Session ${session} is damaged on disk: ${damage}. The intact part can still be read; ` +
      'run "dragoman verify" for details, and restore the rest from a backup.',
  )
}
