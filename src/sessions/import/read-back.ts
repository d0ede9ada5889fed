import { hash } from 'node:crypto'
import { isPause, type TranscriptLine } from '../../agents/importer.ts'
import { readEntries } from '../../catalogue/read-entries.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { EventOf, Raw } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, SessionId } from '../../protocol/ids.ts'
import { noInteractions, type LineInteractions } from '../agent/assign-interaction.ts'
import { translateLine, type TranslationState } from '../translation/translate-line.ts'

/** The state of an import after the lines that were imported so far. */
export interface ImportState {
  readonly translation: TranslationState
  /** Which interaction the next line belongs to. */
  readonly placement: LineInteractions
  readonly interactions: number
  /** The interaction of the last prompt, until its answer begins. */
  readonly unanswered: InteractionId | null
  /** The imported prompts. It grows in place, because an import uses each state once. */
  readonly prompts: Set<string>
  /** The interaction of each imported message. It grows in place, too, and replaces the messages of `placement`. */
  readonly messages: Map<string, InteractionId>
  /** The calls without a result whose thread has continued. */
  readonly leftBehind: ReadonlySet<string>
  /** Whether the session was continued here. The transcript then contains that part, too. */
  readonly isContinued: boolean
  /** The call of the subagent whose lines are imported at the moment; null for the main conversation. */
  readonly subagent: string | null
  /** How often each line is in the journal. */
  readonly lines: ReadonlyMap<string, number>
}

/** Restores the state of an import from the journal. */
export async function readBack(
  journal: Journal,
  session: SessionId,
  translation: TranslationState,
): Promise<ImportState> {
  let state: ImportState = nothingImported(translation)
  const lines = new Map<string, number>()
  for await (const entry of readEntries(journal, session, 1, await journal.head(session)))
    state = afterEntry(state, lines, entry)
  return { ...state, lines }
}

/** The state before the first line. */
export const nothingImported = (translation: TranslationState): ImportState => ({
  translation,
  placement: noInteractions,
  interactions: 0,
  unanswered: null,
  prompts: new Set(),
  messages: new Map(),
  leftBehind: new Set(),
  isContinued: false,
  subagent: null,
  lines: new Map(),
})

/** The state after an import, as it would be read back. It is continued without the names of the lines. */
export const atRest = ({
  translation,
  placement,
  interactions,
  unanswered,
  prompts,
  messages,
}: ImportState): ImportState => ({
  ...nothingImported(translation),
  placement: { ...noInteractions, latest: placement.latest },
  interactions,
  unanswered,
  prompts,
  messages,
})

function afterEntry(state: ImportState, lines: Map<string, number>, { event }: Entry): ImportState {
  if (event.type === 'interaction-started') return begun(state, event)
  if (event.type === 'agent-connected' && event.connection !== state.translation.connection)
    return { ...state, isContinued: true }
  if (event.type !== 'agent-spoke' && event.type !== 'host-spoke') return state
  if (event.connection !== state.translation.connection) return state
  const from = event.type === 'agent-spoke' ? 'agent' : 'host'
  if (!isPause({ from, text: event.raw })) {
    const name = nameOf({ from, raw: event })
    lines.set(name, (lines.get(name) ?? 0) + 1)
  }
  const [translation] = translateLine(state.translation, from, event)
  const unanswered = beginsAnswer(state.messages, event.chunks) ? null : state.unanswered
  addMessages(state, event)
  return { ...state, translation, unanswered }
}

function begun(
  state: ImportState,
  { interaction, prompt, trigger }: EventOf<'interaction-started'>,
): ImportState {
  if (prompt !== null) state.prompts.add(prompt)
  const placement = { ...state.placement, latest: interaction }
  const unanswered = trigger === 'user' ? interaction : null
  return { ...state, placement, unanswered, interactions: state.interactions + 1 }
}

function addMessages(
  { placement, messages }: ImportState,
  event: EventOf<'agent-spoke' | 'host-spoke'>,
): void {
  const interaction: InteractionId | null = event.interaction ?? placement.latest
  if (interaction === null) return
  for (const { chunk } of event.chunks)
    if (chunk.type === 'start' && !messages.has(chunk.messageId)) messages.set(chunk.messageId, interaction)
}

/** Whether chunks begin a new answer of the conversation. A reopened answer is not new. */
export const beginsAnswer = (messages: ImportState['messages'], chunks: readonly ThreadChunk[]): boolean =>
  chunks.some(
    ({ thread, chunk }) => thread === null && chunk.type === 'start' && !messages.has(chunk.messageId),
  )

/** A hash that identifies a line. */
export const nameOf = ({ from, raw }: { readonly from: TranscriptLine['from']; readonly raw: Raw }): string =>
  hash('sha256', `${from} ${raw.rawFile?.sha256 ?? raw.rawBytes ?? raw.raw}`, 'base64url')

/** The lines that are not in the journal yet, in order; `names` are the names of all lines. */
export function newLines(
  lines: readonly TranscriptLine[],
  names: readonly string[],
  known: ImportState['lines'],
): readonly TranscriptLine[] {
  const left = new Map(known)
  const isNew = (_: TranscriptLine, index: number) => {
    const name = names[index] ?? ''
    const count = left.get(name) ?? 0
    if (count > 0) left.set(name, count - 1)
    return count === 0
  }
  const added = known.size === 0 ? lines : lines.filter(isNew)
  const raws = new Set(added.map(({ raw }) => raw))
  return added.filter(({ announces }) => announces === undefined || raws.has(announces))
}

/** The id of the connection under which the lines of a transcript are recorded. */
export const readerOf = (session: SessionId): ConnectionId => `import.${session}` as ConnectionId
