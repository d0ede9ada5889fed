import type { Journal } from '../journal/journal.ts'
import { createMessages } from '../projections/messages.ts'
import type { StoredMessage } from '../projections/stored-message.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Catalogue } from './catalogue.ts'
import type { MessageRow } from './change.ts'
import type { MessageFilter } from './list-messages.ts'

/** Some messages of a thread, the oldest first, complete up to an entry; `next` is the `before` of the page before. */
export interface MessagesRead {
  readonly messages: readonly StoredMessage[]
  readonly next: number | null
  readonly asOf: number
}

const page = 1000

/** Reads messages whole: their rows tell where they lie in the journal, and only that is folded. */
export async function readMessages(
  { journal, catalogue }: { readonly journal: Journal; readonly catalogue: Catalogue },
  session: SessionId,
  filter: MessageFilter,
  asOf: number,
): Promise<MessagesRead> {
  const { messages: rows, next } = await catalogue.messages(session, filter)
  const first = Math.min(...rows.map(({ firstSeq }) => firstSeq))
  const last = Math.min(asOf, Math.max(0, ...rows.map(({ lastSeq }) => lastSeq ?? asOf)))
  const fold = createMessages()
  for (let seq = first - 1; seq < last;) {
    const entries = await journal.read(session, seq, Math.min(page, last - seq))
    for (const entry of entries) fold.apply(entry)
    seq = entries.at(-1)?.seq ?? last
  }
  const folded = new Map(
    fold
      .view()
      .get(filter.thread)
      ?.map(each => [each.message.id, each]),
  )
  const messages = rows.toReversed().flatMap(row => withRow(row, folded.get(row.id)))
  return { messages, next, asOf }
}

/** What a fold from the middle cannot know of a message, its row does. */
function withRow(row: MessageRow, message: StoredMessage | undefined): readonly StoredMessage[] {
  if (message === undefined) return []
  const { parent, agent, synthetic, validity, interaction } = row
  return [{ ...message, parent, agent, synthetic, validity, interaction }]
}
