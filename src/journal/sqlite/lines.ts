import type { SessionId } from '../../protocol/ids.ts'
import { unknownSession } from '../refusals.ts'
import type { Addresses } from './address.ts'
import type { Line } from './line.ts'
import type { Reader } from './threads.ts'

/** The sessions in use, each looked up once. */
export interface Lines {
  /** A session that memory knows. */
  known(session: SessionId): Line | undefined
  byNumber(no: number): Line | undefined
  /** A session, looked up if need be; refused when there is none. */
  open(session: SessionId): Promise<Line>
  add(line: Line): void
  /** Forgets sessions that nobody has used for a while and that are packed. */
  forgetUnused(before: number): void
}

/** A line with nothing in it yet. */
export const newLine = (addresses: Addresses, no: number, session: SessionId, now: number): Line => ({
  no,
  session,
  idOf: addresses.ofSession(no),
  head: 0,
  next: 1,
  packed: 0,
  tail: [],
  texts: [],
  damage: null,
  usedAt: now,
})

/** The lines of one database; `witnessed` says how far each session is known to have come. */
export function createLines(
  reader: Reader,
  addresses: Addresses,
  witnessed: (no: number) => number,
  now: () => number,
): Lines {
  const lines = new Map<SessionId, Line>()
  const byNumber = new Map<number, Line>()
  const opening = new Map<SessionId, Promise<Line>>()

  const add = (line: Line) => {
    lines.set(line.session, line)
    byNumber.set(line.no, line)
  }
  const lookUp = async (session: SessionId): Promise<Line> => {
    const found = await reader.ask({ type: 'session', id: session })
    const known = lines.get(session)
    if (known !== undefined) return known
    if (found === undefined) throw unknownSession(session)
    const line = {
      ...newLine(addresses, found.no, session, now()),
      head: found.packed,
      next: found.packed + 1,
      packed: found.packed,
      damage: missing(found.packed, witnessed(found.no)),
    }
    add(line)
    return line
  }

  return {
    known(session) {
      const line = lines.get(session)
      if (line !== undefined) line.usedAt = now()
      return line
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
      for (const line of lines.values()) {
        if (line.usedAt >= before || line.packed < line.head) continue
        lines.delete(line.session)
        byNumber.delete(line.no)
      }
    },
  }
}

/** What to say of a session that had come further than what is left of it. */
export const missing = (head: number, witnessed: number): string | null =>
  head >= witnessed ? null : `entries ${head + 1} to ${witnessed} are missing`
