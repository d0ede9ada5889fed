import { readEntries } from '../../catalogue/read-entries.ts'
import type { LegacyFormat, LegacyMessage } from '../../context/legacy/index.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { SessionView } from '../view/session-view.ts'
import { legacyAgent, legacyConnection } from '../legacy-names.ts'

/** The flat array that a session began with, as the journal kept it. */
export interface LegacyArray {
  readonly format: LegacyFormat
  /** Its messages by the entry at which the message began that shows them; under 0 what no message shows. */
  readonly byStart: ReadonlyMap<number, readonly LegacyMessage[]>
}

const formats: readonly LegacyFormat[] = ['anthropic-messages', 'openai-chat', 'ui-messages']

/** Reads the array that a session began with; null when it began with none. */
export async function readLegacy({ host, record }: SessionView): Promise<LegacyArray | null> {
  const originals: Json[] = []
  const starts: number[] = []
  let format: LegacyFormat | undefined
  let start = 0
  for await (const entry of readEntries(host.journal, record.session, 2, record.state.summary.seq)) {
    const { event, seq } = entry
    if (isAfter(entry)) break
    const isShown = event.type === 'interaction-started' && event.parts.length > 0
    if (isShown || chunksOf(event).some(({ chunk }) => chunk.type === 'start')) start = seq
    if (!('raw' in event)) continue
    format ??= formats.find(each => legacyConnection(each) === event.connection)
    if (format === undefined) return null
    originals.push(JSON.parse(event.raw) as Json)
    starts.push(start)
  }
  if (format === undefined) return null
  const { migrate } = await import('../../context/legacy/index.ts')
  const messages = migrate(record.session, format, originals).interactions.flatMap(each => each.messages)
  const byStart = new Map<number, LegacyMessage[]>()
  for (const [at, message] of messages.entries()) {
    const from = starts[at] ?? 0
    byStart.set(from, [...(byStart.get(from) ?? []), message])
  }
  return { format, byStart }
}

/** Whether the array has ended. */
const isAfter = ({ event }: Entry) =>
  event.type === 'interaction-started' ? event.agent !== legacyAgent : event.type === 'agent-assigned'
