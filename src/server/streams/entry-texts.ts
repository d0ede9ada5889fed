import type { Received } from '../../protocol/api/api.ts'
import type { DialectV7 } from '../../protocol/dialect-v7.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'
import { dialectAfter, translateEntry } from './entry-dialect.ts'

/** The form in which a client wants entries. */
export type EntryForm = Pick<Received<'listEntries'>['query'], 'raw' | 'dialect'>

/** Reads entries above a number as JSON, in order. Synchronous if they are in memory. */
export type ReadTexts = (after: number, limit: number) => readonly string[] | Promise<readonly string[]>

/** Opens a reader for the entries of a session, in the wanted form. */
export async function openTexts(
  server: ServerParts,
  session: SessionId,
  after: number,
  { raw = false, dialect = 'portable' }: EntryForm,
): Promise<ReadTexts> {
  const { journal } = server
  if (dialect === 'portable' && !raw)
    return (seq, limit) => journal.readHotTexts(session, seq, limit) ?? journal.readTexts(session, seq, limit)
  const translated = dialect === 'v7' ? await dialectAfter(server, session, after) : null
  return (seq, limit) => {
    const found = journal.readHot(session, seq, limit) ?? journal.read(session, seq, limit)
    const write = (entries: readonly Entry[]) => entries.map(entry => textOf(entry, raw, translated))
    return 'then' in found ? found.then(write) : write(found)
  }
}

function textOf(entry: Entry, raw: boolean, dialect: DialectV7 | null): string {
  const shown = dialect === null ? entry : translateEntry(dialect, entry)
  return JSON.stringify(raw ? shown : { ...shown, event: { ...shown.event, raw: undefined } })
}
