import type { Received } from '../../protocol/api/api.ts'
import type { DialectV7 } from '../../protocol/dialect-v7.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { House } from '../house.ts'
import { dialectAfter, translateEntry } from './entry-dialect.ts'

/** In which form entries are wanted. */
export type EntryForm = Pick<Received<'listEntries'>['query'], 'raw' | 'dialect'>

/** Reads entries above a number as JSON, in order, each call where the last one ended; at once where memory holds them. */
export type ReadTexts = (after: number, limit: number) => readonly string[] | Promise<readonly string[]>

/** Reads the entries of a session as JSON texts, in a form. */
export async function openTexts(
  house: House,
  session: SessionId,
  after: number,
  { raw = false, dialect = 'portable' }: EntryForm,
): Promise<ReadTexts> {
  const { journal } = house
  if (dialect === 'portable' && !raw)
    return (seq, limit) => journal.readHotTexts(session, seq, limit) ?? journal.readTexts(session, seq, limit)
  const translated = dialect === 'v7' ? await dialectAfter(house, session, after) : null
  return (seq, limit) => {
    const found = journal.readHot(session, seq, limit) ?? journal.read(session, seq, limit)
    const write = (entries: readonly Entry[]) => entries.map(entry => textOf(entry, raw, translated))
    return 'then' in found ? found.then(write) : write(found)
  }
}

function textOf(entry: Entry, raw: boolean, dialect: DialectV7 | null): string {
  const said = dialect === null ? entry : translateEntry(dialect, entry)
  return JSON.stringify(raw ? said : { ...said, event: { ...said.event, raw: undefined } })
}
