import type { Agent } from '../../agents/agent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, type EventOf } from '../../protocol/event.ts'
import type { ConnectionId, SessionId } from '../../protocol/ids.ts'
import { beginTranslation, translateLine, type TranslationState } from '../translation/translate-line.ts'
import { openingOf } from '../translation/opening.ts'
import { agentNamed } from '../find-agent.ts'

/** What is needed to translate a session again. */
export interface ReadAgain {
  readonly journal: Pick<Journal, 'head' | 'read'>
  readonly agents: ReadonlyMap<string, Agent>
}

/** An entry, and its chunks from today's translators. */
export interface Retranslated {
  readonly entry: Entry
  readonly chunks: readonly ThreadChunk[]
}

const page = 1000

/** Every entry of a session in order. Native lines of both sides are translated again, per connection. */
export async function* retranslate(
  { journal, agents }: ReadAgain,
  session: SessionId,
): AsyncGenerator<Retranslated, void, undefined> {
  const head = await journal.head(session)
  const translations = new Map<ConnectionId, TranslationState>()
  for (let seq = 0; seq < head;) {
    const entries = await journal.read(session, seq, page)
    for (const entry of entries) yield { entry, chunks: translateAgain(translations, agents, entry) }
    seq = entries.at(-1)?.seq ?? head
  }
}

function translateAgain(
  translations: Map<ConnectionId, TranslationState>,
  agents: ReadAgain['agents'],
  { event }: Entry,
): readonly ThreadChunk[] {
  if (event.type === 'agent-connected') connect(translations, agents, event)
  if (event.type === 'agent-exited') disconnect(translations, event.connection)
  if (event.type !== 'agent-spoke' && event.type !== 'host-spoke') return chunksOf(event)
  const translation = translations.get(event.connection)
  if (translation === undefined) return event.chunks
  const [next, chunks] = translateLine(translation, event.type === 'agent-spoke' ? 'agent' : 'host', event)
  translations.set(event.connection, next)
  return chunks
}

/** A transcript that has grown continues under the same connection. */
function connect(
  translations: Map<ConnectionId, TranslationState>,
  agents: ReadAgain['agents'],
  event: EventOf<'agent-connected'>,
): void {
  const { agent, connection, readFrom } = event
  if (translations.has(connection)) return
  const how = { isRead: readFrom !== undefined, opening: openingOf(event) }
  translations.set(connection, beginTranslation(agentNamed(agents, agent), connection, how))
}

function disconnect(translations: Map<ConnectionId, TranslationState>, connection: ConnectionId): void {
  const translation = translations.get(connection)
  if (translation?.translator === translation?.agent) translations.delete(connection)
}
