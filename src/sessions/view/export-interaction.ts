import type { MessageRow } from '../../catalogue/change.ts'
import { readMessages } from '../../catalogue/read-messages.ts'
import { readEntries } from '../../catalogue/read-entries.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import type { StoredMessage } from '../../projections/stored-message.ts'
import type { SessionView } from './session-view.ts'
import { rowsOf } from './read-session.ts'

/** A small page, because entries after the interaction are read and then skipped. */
const page = 100

/** One line of an export. */
export type ExportLine =
  | {
      readonly type: 'interaction'
      readonly session: string
      readonly interaction: string
      readonly agent: string
      readonly asOf: number
    }
  | { readonly type: 'message'; readonly message: StoredMessage }
  /** An entry as it was saved, its native line included. */
  | { readonly type: 'entry'; readonly entry: Entry }

/** Exports one interaction: its row, its messages, and each of its entries with its native line. */
export async function* exportInteraction(
  view: SessionView,
  interaction: InteractionId,
): AsyncGenerator<ExportLine, void, undefined> {
  const { host, record } = view
  const { session } = record
  const { seq: asOf, agent } = record.state.summary
  await record.settled()
  const rows = await rowsOf(host.catalogue, session, interaction)
  yield { type: 'interaction', session, interaction, agent: rows[0]?.agent ?? agent, asOf }
  for (const { thread, firstSeq, id } of rows) {
    const filter = { thread, before: firstSeq + 1, limit: 1, replaced: true }
    const { messages } = await readMessages(host, session, filter, asOf)
    for (const message of messages) if (message.message.id === id) yield { type: 'message', message }
  }
  yield* entriesOf(view, interaction, rows)
}

/** Its entries are next to each other, except for later changes of its validity. */
async function* entriesOf(
  { host, record }: SessionView,
  interaction: InteractionId,
  rows: readonly MessageRow[],
): AsyncGenerator<ExportLine, void, undefined> {
  const { session, seq: head } = record.state.summary
  const first = Math.min(...rows.map(({ firstSeq }) => firstSeq))
  let last = Math.max(...rows.map(({ lastSeq }) => lastSeq ?? head))
  let isEnded = false
  for await (const entry of readEntries(host.journal, session, first, head, page)) {
    if (entry.seq > last && isEnded) break
    last = Math.max(last, entry.seq)
    isEnded ||= entry.event.type === 'interaction-ended' && entry.event.interaction === interaction
    if (isOf(entry, interaction)) yield { type: 'entry', entry }
  }
  const audit = await host.catalogue.audit(session, { parts: [], interactions: [interaction] })
  for (const { seq } of audit.filter(each => each.seq > last)) {
    const [entry] = await host.journal.read(session, seq - 1, 1)
    if (entry !== undefined && isOf(entry, interaction)) yield { type: 'entry', entry }
  }
}

function isOf({ event }: Entry, interaction: InteractionId): boolean {
  if ('interaction' in event) return event.interaction === interaction
  if ('interactions' in event) return event.interactions.includes(interaction)
  return 'target' in event && event.target.interaction === interaction
}
