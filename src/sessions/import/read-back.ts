import { hash } from 'node:crypto'
import { isPause, type TranscriptLine } from '../../agents/importer.ts'
import { readEntries } from '../../catalogue/read-entries.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { EventOf, Raw } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, SessionId } from '../../protocol/ids.ts'
import { noOwners, type InteractionOwners } from '../agent/assign-interaction.ts'
import { translateLine, type TranslationState } from '../translation/translate-line.ts'

/** How far a transcript has been told. */
export interface Told {
  readonly translation: TranslationState
  readonly memory: InteractionOwners
  readonly interactions: number
  /** What a person asked last, as long as no answer has begun: it may still come. */
  readonly unanswered: InteractionId | null
  /** The prompts that were told. It grows in place: an import uses it once, from line to line. */
  readonly prompts: Set<string>
  /** The interaction of each message that was told. It grows in place, too, and stands for the messages of the memory. */
  readonly messages: Map<string, InteractionId>
  /** The calls without a result after which their thread went on. */
  readonly leftBehind: ReadonlySet<string>
  /** Whether an agent of ours has gone on with the session: what it said is in its transcript, too. */
  readonly isContinued: boolean
  /** The subagent whose lines are told at the moment, by the call that started it. */
  readonly subagent: string | null
  /** How often each line is in the journal. */
  readonly lines: ReadonlyMap<string, number>
}

/** Reads a session back as far as it was imported. */
export async function readBack(
  journal: Journal,
  session: SessionId,
  translation: TranslationState,
): Promise<Told> {
  let told: Told = untold(translation)
  const lines = new Map<string, number>()
  for await (const entry of readEntries(journal, session, 1, await journal.head(session)))
    told = afterEntry(told, lines, entry)
  return { ...told, lines }
}

/** A transcript of which nothing has been told. */
export const untold = (translation: TranslationState): Told => ({
  translation,
  memory: noOwners,
  interactions: 0,
  unanswered: null,
  prompts: new Set(),
  messages: new Map(),
  leftBehind: new Set(),
  isContinued: false,
  subagent: null,
  lines: new Map(),
})

function afterEntry(told: Told, lines: Map<string, number>, { event }: Entry): Told {
  if (event.type === 'interaction-started') return begun(told, event)
  if (event.type === 'agent-connected' && event.connection !== told.translation.connection)
    return { ...told, isContinued: true }
  if (event.type !== 'agent-spoke' && event.type !== 'host-spoke') return told
  if (event.connection !== told.translation.connection) return told
  const from = event.type === 'agent-spoke' ? 'agent' : 'host'
  if (!isPause({ from, text: event.raw })) {
    const name = nameOf({ from, raw: event })
    lines.set(name, (lines.get(name) ?? 0) + 1)
  }
  const [translation] = translateLine(told.translation, from, event)
  const unanswered = beginsAnswer(told.messages, event.chunks) ? null : told.unanswered
  addMessages(told, event)
  return { ...told, translation, unanswered }
}

function begun(told: Told, { interaction, prompt, trigger }: EventOf<'interaction-started'>): Told {
  if (prompt !== null) told.prompts.add(prompt)
  const memory = { ...told.memory, latest: interaction }
  const unanswered = trigger === 'user' ? interaction : null
  return { ...told, memory, unanswered, interactions: told.interactions + 1 }
}

function addMessages({ memory, messages }: Told, event: EventOf<'agent-spoke' | 'host-spoke'>): void {
  const owner: InteractionId | null = event.interaction ?? memory.latest
  if (owner === null) return
  for (const { chunk } of event.chunks)
    if (chunk.type === 'start' && !messages.has(chunk.messageId)) messages.set(chunk.messageId, owner)
}

/** Whether an answer in the conversation begins: one that is opened again began before. */
export const beginsAnswer = (messages: Told['messages'], chunks: readonly ThreadChunk[]): boolean =>
  chunks.some(
    ({ thread, chunk }) => thread === null && chunk.type === 'start' && !messages.has(chunk.messageId),
  )

/** What tells one line from another. */
export const nameOf = ({ from, raw }: { readonly from: TranscriptLine['from']; readonly raw: Raw }): string =>
  hash('sha256', `${from} ${raw.rawFile?.sha256 ?? raw.rawBytes ?? raw.raw}`, 'base64url')

/** The lines that are not in the journal, in their order; `names` are the names of all lines. */
export function newLines(
  lines: readonly TranscriptLine[],
  names: readonly string[],
  told: Told['lines'],
): readonly TranscriptLine[] {
  const left = new Map(told)
  const isNew = (_: TranscriptLine, index: number) => {
    const name = names[index] ?? ''
    const count = left.get(name) ?? 0
    if (count > 0) left.set(name, count - 1)
    return count === 0
  }
  const added = told.size === 0 ? lines : lines.filter(isNew)
  const raws = new Set(added.map(({ raw }) => raw))
  return added.filter(({ announces }) => announces === undefined || raws.has(announces))
}

/** The name of the connection by which the transcript of a session is read. */
export const readerOf = (session: SessionId): ConnectionId => `import.${session}` as ConnectionId
