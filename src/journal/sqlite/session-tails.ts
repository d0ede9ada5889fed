import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Addresses } from '../format/address.ts'
import { entryText, type Naming } from '../format/run.ts'
import { unknownSession } from '../refusals.ts'
import type { Reader } from './threads.ts'

/** A session in use, in the memory of the main thread: its head and its newest entries. */
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
  /** The damage on disk; null without any. */
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

/** The same entries as texts. */
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
function trimTail(tail: SessionTail, packed: number): void {
  tail.packed = Math.max(tail.packed, packed)
  const unpacked = tail.head - tail.packed
  const kept = Math.max(unpacked, keptWhenPacked)
  if (tail.entries.length <= kept * 2) return
  tail.texts.splice(0, tail.entries.length - kept)
  tail.entries.splice(0, tail.entries.length - kept)
}

/** Throws for a session that is damaged on disk. */
export function refuseDamaged({ session, damage }: SessionTail): void {
  if (damage !== null) throw sessionDamaged({ session, damage })
}

/** The error for a session that is damaged on disk. */
export const sessionDamaged = ({ session, damage }: { readonly session: string; readonly damage: string }) =>
  new DragomanError(
    'session-damaged',
    `Session ${session} is damaged on disk: ${damage}. The intact part can still be read; run "dragoman verify" for details, ` +
      'and restore the rest from a backup. To continue without it, stop Dragoman and delete journal.witness in the data folder.',
  )

/** The sessions in use, each looked up once. */
export interface SessionTails {
  /** A session in memory. */
  known(session: SessionId): SessionTail | undefined
  /** The entries of a session up to a number are packed now, so most of them can leave the memory. */
  packed(no: number, seq: number): void
  /** A session from memory or from the database; refused if it does not exist. */
  open(session: SessionId): Promise<SessionTail>
  add(tail: SessionTail): void
  /** Drops packed sessions that have not been used since a moment. */
  forgetUnused(before: number): void
}

/** The tail of a session without entries. */
export const newTail = (addresses: Addresses, no: number, session: SessionId, now: number): SessionTail => ({
  no,
  session,
  idOf: addresses.ofSession(no),
  head: 0,
  next: 1,
  packed: 0,
  entries: [],
  texts: [],
  damage: null,
  usedAt: now,
})

/** The tails of one database; `witnessed` gives the last entry of a session that the witness knows. */
export function createSessionTails(
  reader: Reader,
  addresses: Addresses,
  witnessed: (no: number) => number,
  now: () => number,
): SessionTails {
  const tails = new Map<SessionId, SessionTail>()
  const byNumber = new Map<number, SessionTail>()
  const opening = new Map<SessionId, Promise<SessionTail>>()

  const add = (tail: SessionTail) => {
    tails.set(tail.session, tail)
    byNumber.set(tail.no, tail)
  }
  const lookUp = async (session: SessionId): Promise<SessionTail> => {
    const found = await reader.ask({ type: 'session', id: session })
    const known = tails.get(session)
    if (known !== undefined) return known
    if (found === undefined) throw unknownSession(session)
    const tail = {
      ...newTail(addresses, found.no, session, now()),
      head: found.packed,
      next: found.packed + 1,
      packed: found.packed,
      damage: missing(found.packed, witnessed(found.no)),
    }
    add(tail)
    return tail
  }

  return {
    known(session) {
      const tail = tails.get(session)
      if (tail !== undefined) tail.usedAt = now()
      return tail
    },
    packed(no, seq) {
      const tail = byNumber.get(no)
      if (tail !== undefined) trimTail(tail, seq)
    },
    open(session) {
      const known = this.known(session)
      if (known !== undefined) return Promise.resolve(known)
      const running = opening.get(session) ?? lookUp(session).finally(() => opening.delete(session))
      opening.set(session, running)
      return running
    },
    add,
    forgetUnused(before) {
      for (const tail of tails.values()) {
        if (tail.usedAt >= before || tail.packed < tail.head) continue
        tails.delete(tail.session)
        byNumber.delete(tail.no)
      }
    },
  }
}

/** The entries that are missing, if the witness knows of later ones. */
export const missing = (head: number, witnessed: number): string | null =>
  head >= witnessed ? null : `entries ${head + 1} to ${witnessed} are missing`
