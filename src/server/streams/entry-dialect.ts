import { createDialectV7, type DialectV7 } from '../../protocol/dialect-v7.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'

/** An entry in the newer dialect. */
interface TranslatedEntry extends Omit<Entry, 'event'> {
  readonly event: object
}

/** Converts an entry's chunks to the newer dialect, which also has a chunk for the answer to an approval. */
export function translateEntry(dialect: DialectV7, { event, ...about }: Entry): TranslatedEntry {
  if (event.type === 'approval-answered') {
    const chunks = dialect.answer(event)
    return { ...about, event: chunks.length === 0 ? event : { ...event, chunks } }
  }
  if (!('chunks' in event)) return { ...about, event }
  return {
    ...about,
    event: { ...event, chunks: event.chunks.flatMap(threadChunk => dialect.say(threadChunk)) },
  }
}

const page = 1000

/** The dialect's state after an entry: some chunks depend on earlier ones. */
export async function dialectAfter(
  server: ServerParts,
  session: SessionId,
  after: number,
): Promise<DialectV7> {
  const dialect = createDialectV7()
  for (let seq = 0; seq < after;) {
    const entries = await server.journal.read(session, seq, Math.min(page, after - seq))
    for (const { event } of entries) {
      if (event.type === 'approval-answered') dialect.answer(event)
      for (const threadChunk of chunksOf(event)) dialect.say(threadChunk)
    }
    seq = entries.at(-1)?.seq ?? after
  }
  return dialect
}
