import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import { entryText, type Naming } from '../format/run.ts'

/** What the main thread keeps in memory of a session in use: where it ends, and its newest entries. */
export interface SessionTail extends Naming {
  readonly no: number
  /** The last entry that is saved. */
  head: number
  /** The number that the next entry to be sent will get; beyond the head while commits run. */
  next: number
  /** The last entry that is packed. */
  packed: number
  /** The newest entries, without holes up to the head: all that are not packed, and some that are. */
  entries: Entry[]
  /** The JSON of their events, without the raws: made for saving, and reused for clients. */
  texts: string[]
  /** What is damaged on disk; null when nothing is. */
  readonly damage: string | null
  usedAt: number
}

const keptWhenPacked = 128

/** The entries after `after` from memory, or undefined when memory does not reach back that far. */
export function readTail(
  { head, entries }: SessionTail,
  after: number,
  limit: number,
): readonly Entry[] | undefined {
  const skipped = entries.length - (head - after)
  if (after >= head) return none
  return skipped < 0 ? undefined : entries.slice(skipped, skipped + limit)
}

/** The same as texts. */
export function readTailTexts(
  tail: SessionTail,
  after: number,
  limit: number,
): readonly string[] | undefined {
  const { head, entries, texts } = tail
  const read = readTail(tail, after, limit)
  const skipped = entries.length - (head - after)
  return read?.map((entry, index) => entryText(entry, texts[skipped + index] ?? ''))
}

const none: readonly Entry[] = []

/** Drops packed entries from memory, except the last ones, which are read most. */
export function trimTail(tail: SessionTail, packed: number): void {
  tail.packed = Math.max(tail.packed, packed)
  const unpacked = tail.head - tail.packed
  const kept = Math.max(unpacked, keptWhenPacked)
  if (tail.entries.length <= kept * 2) return
  tail.texts.splice(0, tail.entries.length - kept)
  tail.entries.splice(0, tail.entries.length - kept)
}

/** Refuses a session that is damaged on disk, and says what to do. */
export function refuseDamaged({ session, damage }: SessionTail): void {
  if (damage === null) return
  throw new DragomanError(
    'session-damaged',
    `Session ${session} is damaged on disk: ${damage}. The intact part can still be read; ` +
      'run "dragoman verify" for details, and restore the rest from a backup.',
  )
}
