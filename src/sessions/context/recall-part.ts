import { recall, type History, type HistoryMessage } from '../../context/index.ts'
import { textsOf } from '../../context/part-texts.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { SessionView } from '../view/session-view.ts'
import { messageOfPart, readPlaced } from './read-parts.ts'

/** A part in its original form. */
export interface Recalled {
  readonly part: string
  readonly message: string
  readonly interaction: string
  readonly role: string
  readonly kind: string
  /** The tool of a call or a result. */
  readonly tool: string | null
  /** Its texts, one after the other. */
  readonly text: string
  /** The complete part. */
  readonly json: Json
}

/** Reads the original of a part. Only its message is read. */
export async function recallPart(view: SessionView, part: string): Promise<Recalled> {
  await view.record.settled()
  const row = await messageOfPart(view, part)
  const messages = row === null ? [] : await readPlaced(view, row)
  const recalled = recallFrom(messages, part)
  if (recalled !== null) return recalled
  throw new DragomanError(
    'unknown-part',
    `The conversation of session ${view.record.session} has no part ${part}.`,
  )
}

/** Finds a part that a model asks for again, by its id or short id; null when there is none, or when it was deleted. */
export function recallIn({ messages, ledger }: History, name: string): Recalled | null {
  const found = recallFrom(messages, name)
  const placed = messages.find(({ message }) => message.id === found?.message)
  if (found === null || placed === undefined) return null
  const at = placed.message.parts.findIndex(({ id }) => id === found.part)
  const standing = ledger.standingOf({
    id: found.part,
    interaction: placed.interaction,
    name: placed.names?.[at] ?? null,
  })
  return standing.deleted?.to === 'deleted' ? null : found
}

function recallFrom(messages: readonly HistoryMessage[], name: string): Recalled | null {
  const found = recall({ messages, system: [] }, name)
  const placed = messages.find(({ message }) => found !== null && message.parts.includes(found))
  if (found === null || placed === undefined) return null
  const { native: _, ...plain } = found
  return {
    part: found.id,
    message: placed.message.id,
    interaction: placed.interaction,
    role: placed.message.role,
    kind: found.kind,
    tool: found.kind === 'call' || found.kind === 'result' ? found.tool : null,
    text: found.kind === 'reasoning' ? found.text : textsOf(found).join('\n'),
    json: plain as unknown as Json,
  }
}
