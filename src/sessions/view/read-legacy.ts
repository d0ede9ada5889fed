import { readEntries } from '../../catalogue/read-entries.ts'
import type { LegacyFormat, LegacyMessage } from '../../context/legacy/index.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { SessionView } from '../view/session-view.ts'
import { createBreaks, inSlices } from '../in-slices.ts'
import { legacyAgent, legacyConnection } from '../legacy-names.ts'

/** The legacy array that a session was created from, as it is in the journal. */
export interface LegacyArray {
  readonly format: LegacyFormat
  /** Its messages by the first entry of the message that shows them; key 0 for those that no message shows. */
  readonly byStart: ReadonlyMap<number, readonly LegacyMessage[]>
}

const formats: readonly LegacyFormat[] = ['anthropic-messages', 'openai-chat', 'ui-messages']

/** Reads the legacy array that a session was created from; null without one. */
export async function readLegacy({ host, record }: SessionView): Promise<LegacyArray | null> {
  const originals: Json[] = []
  const starts: number[] = []
  let format: LegacyFormat | undefined
  let start = 0
  const takeBreak = createBreaks()
  for await (const entry of readEntries(host.journal, record.session, 2, record.state.summary.seq)) {
    await takeBreak()
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
  const { migrateInSteps } = await import('../../context/legacy/migrate.ts')
  const { interactions } = await inSlices(migrateInSteps(record.session, format, originals))
  const byStart = new Map<number, LegacyMessage[]>()
  for (const [at, message] of interactions.flatMap(each => each.messages).entries()) {
    const from = starts[at] ?? 0
    const others = byStart.get(from)
    if (others === undefined) byStart.set(from, [message])
    else others.push(message)
  }
  return { format, byStart }
}

/** Whether the array has ended. */
const isAfter = ({ event }: Entry) =>
  event.type === 'interaction-started' ? event.agent !== legacyAgent : event.type === 'agent-assigned'
