import type { Journal } from '../journal/journal.ts'
import { firstOf } from '../projections/shorten.ts'
import type { SessionId } from '../protocol/ids.ts'

/** So many prompts are read for one reply. */
export const mostPrompts = 100
const longest = 200

/** The beginning of the prompt of the interaction that starts with an entry; null where it has no text. */
export async function promptText(
  journal: Pick<Journal, 'read'>,
  session: SessionId,
  startSeq: number,
): Promise<string | null> {
  const [entry] = await journal.read(session, startSeq - 1, 1)
  if (entry?.event.type !== 'interaction-started') return null
  const text = entry.event.parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ')
  return text === '' ? null : firstOf(text, longest)
}
