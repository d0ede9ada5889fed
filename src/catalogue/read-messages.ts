import type { Journal } from '../journal/journal.ts'
import { createMessages, type Messages } from '../projections/messages.ts'
import type { StoredMessage } from '../projections/stored-message.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Catalogue } from './catalogue.ts'
import type { MessageRow } from './change.ts'
import type { MessageFilter } from './list-messages.ts'
import { readEntries } from './read-entries.ts'

/** Messages of a thread, the oldest first, complete up to an entry; `next` is the `before` of the page before them. */
export interface MessagesRead {
  readonly messages: readonly StoredMessage[]
  readonly next: number | null
  readonly asOf: number
}

/** Reads complete messages. Their rows contain their places in the journal, and only these entries are folded. */
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
  // A validity that was set after the end of a message is in its row only.
  const messages = pickMessages(rows, fold.view()).map(({ row, message }) => ({
    ...message,
    validity: row.validity,
  }))
  return { messages, next, asOf }
}

/** The messages of some rows, the oldest first. Their rows add what a fold from the middle of a session cannot know. */
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
