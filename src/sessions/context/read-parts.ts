import type { MessageRow } from '../../catalogue/change.ts'
import { readEntries } from '../../catalogue/read-entries.ts'
import { createHistoryFold, type HistoryMessage } from '../../context/index.ts'
import { recallId } from '../../context/placeholder.ts'
import type { SessionView } from '../view/session-view.ts'

/** The message that a part of the main conversation belongs to; null when there is none, or when it was replaced. */
export async function messageOfPart(view: SessionView, part: string): Promise<MessageRow | null> {
  // An id may contain a slash, so the longest prefix that is a message's id is used.
  for (let at = part.lastIndexOf('/'); at > 0; at = part.lastIndexOf('/', at - 1)) {
    const message = await findInConversation(view, part.slice(0, at))
    if (message !== null) return message
  }
  return null
}

/** A message of the main conversation; null when there is none, or when it was replaced. */
export async function findInConversation(
  { host, record }: SessionView,
  id: string,
): Promise<MessageRow | null> {
  const message = await host.catalogue.findMessage(record.session, id, null)
  return message?.replacedBy === null ? message : null
}

/** The full id of a part, from the short id in its placeholder. */
export async function wholeName({ host, record }: SessionView, name: string): Promise<string> {
  if (name.includes('/')) return name
  const parts = await host.catalogue.contextParts(record.session)
  return parts.find(part => recallId(part) === name) ?? name
}

/** One message as the compiler sees it. Only its own entries are read. */
export async function readPlaced(
  { host, record }: SessionView,
  { id, firstSeq, lastSeq }: MessageRow,
): Promise<readonly HistoryMessage[]> {
  const fold = createHistoryFold()
  const last = lastSeq ?? record.state.summary.seq
  for await (const entry of readEntries(host.journal, record.session, firstSeq, last)) fold.apply(entry)
  return fold.view().messages.filter(({ message }) => message.parts[0]?.id.startsWith(`${id}/`) === true)
}
