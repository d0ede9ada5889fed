import { DragomanError } from '../protocol/error.ts'

/** Where a page ends, as text for the client. Reading refuses a text that is not one of ours. */
export interface Cursor<Place> {
  write(place: Place): string
  read(cursor: string): Place
}

/** A place in a list of sessions, by creation. */
export const sessionCursor: Cursor<readonly [createdAt: number, session: string]> = {
  write: ([createdAt, session]) => `${createdAt}~${session}`,
  read(cursor) {
    const [at, session = ''] = match(/^(\d{1,15})~([A-Za-z0-9_.:-]{1,128})$/, cursor)
    return [Number(at), session]
  },
}

/** A place in a session: an entry, and a place within it. */
export const entryCursor: Cursor<readonly [seq: number, place: number]> = {
  write: ([seq, place]) => `${seq}.${place}`,
  read(cursor) {
    const [seq, place] = match(/^(\d{1,15})\.(\d{1,9})$/, cursor)
    return [Number(seq), Number(place)]
  },
}

/** A place in a list of approvals of all sessions, by the time of the question. */
export const approvalCursor: Cursor<readonly [askedAt: number, session: string, seq: number, place: number]> =
  {
    write: ([askedAt, session, seq, place]) => `${askedAt}~${session}~${seq}.${place}`,
    read(cursor) {
      const form = /^(\d{1,15})~([A-Za-z0-9_.:-]{1,128})~(\d{1,15})\.(\d{1,9})$/
      const [at, session = '', seq, place] = match(form, cursor)
      return [Number(at), session, Number(seq), Number(place)]
    },
  }

function match(form: RegExp, cursor: string): readonly string[] {
  const [, ...fields] = form.exec(cursor) ?? []
  if (fields.length > 0) return fields
  throw new DragomanError('invalid-input', 'The cursor is not valid. Start again without a cursor.')
}
