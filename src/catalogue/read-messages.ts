import type { Journal } from '../journal/journal.ts'
import { createMessages, type Messages } from '../projections/messages.ts'
import type { StoredMessage } from '../projections/stored-message.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Catalogue } from './catalogue.ts'
import type { MessageRow } from './change.ts'
import type { MessageFilter } from './list-messages.ts'
import { readEntries } from './read-entries.ts'

/** Some messages of a thread, the oldest first, complete up to an entry; `next` is the `before` of the page before. */
export interface MessagesRead {
  readonly messages: readonly StoredMessage[]
  readonly next: number | null
  readonly asOf: number
}

/** Reads messages whole: their rows tell where they lie in the journal, and only that is folded. */
export async function readMessages(
  { journal, catalogue }: { readonly journal: Journal; readonly catalogue: Catalogue },
  session: SessionId,
  filter: MessageFilter,
  asOf: number,
): Promise<MessagesRead> {
  const { messages: rows, next } = await catalogue.messages(session, filter, asOf)
  const first = Math.min(...rows.map(({ firstSeq }) => firstSeq))
  const last = Math.min(asOf, Math.max(0, ...rows.map(({ lastSeq }) => lastSeq ?? asOf)))
  const fold = createMessages(undefined, { replaced: true })
  for await (const entry of readEntries(journal, session, first, last)) fold.apply(entry)
  // What was said about validity after the last word of a message, its row knows.
  const messages = pickMessages(rows, fold.view()).map(({ row, message }) => ({
    ...message,
    validity: row.validity,
  }))
  return { messages, next, asOf }
}

/** The messages of some rows, the oldest first. What a fold from the middle cannot know of a message, its row does. */
export function pickMessages(rows: readonly MessageRow[], folded: Messages) {
  const byThread = new Map(
    Array.from(folded, ([thread, messages]) => [
      thread,
      new Map(messages.map(each => [each.message.id, each])),
    ]),
  )
  return rows.toReversed().flatMap(row => {
    const message = byThread.get(row.thread)?.get(row.id)
    const { parent, agent, synthetic, interaction, replacedBy } = row
    return message
      ? [{ row, message: { ...message, parent, agent, synthetic, interaction, replacedBy } }]
      : []
  })
}
