import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Naming } from './run.ts'

/** What the main thread remembers of a session in use. */
export interface Line extends Naming {
  readonly no: number
  /** The last entry that is saved. */
  head: number
  /** The last entry that is packed. */
  packed: number
  /** The newest entries, without holes up to the head: all that are not packed, and some that are. */
  tail: Entry[]
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

const none: readonly Entry[] = []

/** Lets go of entries that a segment holds, but for the last ones, which are asked for most. */
export function trimTail(line: Line, packed: number): void {
  line.packed = Math.max(line.packed, packed)
  const unpacked = line.head - line.packed
  const kept = Math.max(unpacked, keptWhenPacked)
  if (line.tail.length > kept * 2) line.tail.splice(0, line.tail.length - kept)
}

/** Refuses a session whose words were damaged, with a sentence that says what to do. */
export function refuseDamaged({ session, damage }: Line): void {
  if (damage === null) return
  throw new DragomanError(
    'session-damaged',
    `Session ${session} is damaged on disk: ${damage}. What is whole can still be read; ` +
      'run "dragoman verify" for details and restore the rest from a backup.',
  )
}
