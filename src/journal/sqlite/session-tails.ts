import type { SessionId } from '../../protocol/ids.ts'
import { unknownSession } from '../refusals.ts'
import type { Addresses } from '../format/address.ts'
import type { SessionTail } from './session-tail.ts'
import type { Reader } from './threads.ts'

/** The sessions in use, each looked up once. */
export interface SessionTails {
  /** A session in memory. */
  known(session: SessionId): SessionTail | undefined
  byNumber(no: number): SessionTail | undefined
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
    byNumber: no => byNumber.get(no),
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

/** What is missing of a session, if the witness knows of later entries. */
export const missing = (head: number, witnessed: number): string | null =>
  head >= witnessed ? null : `entries ${head + 1} to ${witnessed} are missing`
