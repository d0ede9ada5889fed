import {
  deniedLine,
  pauseLine,
  subagentLine,
  type Denial,
  type TranscriptLine,
} from '../../agents/importer.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Event } from '../../protocol/event.ts'
import { withoutHandover } from '../../protocol/handover.ts'
import type { InteractionId, NewId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'
import {
  assignInteraction,
  type LineInteractions,
  type LineSource,
  type TranslatedLine,
} from '../agent/assign-interaction.ts'
import { stoppedByPerson } from '../agent/ending.ts'
import { translateLine } from '../translation/translate-line.ts'
import { follow } from './left-behind.ts'
import { beginsAnswer, type ImportState } from './read-back.ts'

/** The events of some lines, and the state of the import after them. */
export interface ImportBatch {
  readonly state: ImportState
  readonly events: readonly Event[]
  /** When each event happened: the time of its line. */
  readonly times: readonly number[]
  /** The open parts after the events, and the time of the last event. */
  readonly open: OpenParts
  readonly newest: number
}

/** The facts about a batch besides its lines. */
export interface BatchContext {
  readonly file: string
  readonly session: string
  /** The parts of the session that are open before the batch. */
  readonly open: OpenParts
  /** Whether it is the last batch of the transcript. */
  readonly isLast: boolean
  /** The time of the session's newest entry, and the time of the import: no entry is older or newer than these. */
  readonly newest: number
  readonly now: number
  /** Gives other work its turn. */
  readonly takeBreak: () => Promise<void>
}

const most = 2000
const longest = 8 * 1024 * 1024
const savedAtOnce = 1024 * 1024

/** Starts a new batch at each prompt of a person, and when a batch is too large. */
export function* cut(lines: readonly TranscriptLine[]): Generator<readonly TranscriptLine[]> {
  let batch: TranscriptLine[] = []
  let length = 0
  for (const line of lines) {
    const isFull = batch.length >= most || length >= longest
    if (batch.length > 0 && (line.prompt !== null || isFull)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(line)
    length += line.raw.raw.length
  }
  if (batch.length > 0) yield batch
}

/** Groups batches that are saved in one commit: a few large commits are faster. After a kill, only the last group is imported again. */
export function* grouped<Batch extends readonly TranscriptLine[]>(
  batches: Iterable<Batch>,
): Generator<readonly Batch[]> {
  let group: Batch[] = []
  let count = 0
  let length = 0
  for (const batch of batches) {
    group.push(batch)
    count += batch.length
    length += batch.reduce((sum, { raw }) => sum + raw.raw.length, 0)
    if (count < most && length < savedAtOnce) continue
    yield group
    group = []
    count = 0
    length = 0
  }
  if (group.length > 0) yield group
}

/** Turns some lines into events, and adds their prompts and messages to the state. After them, nothing runs and no agent is connected. */
export async function importBatch(
  before: ImportState,
  context: BatchContext,
  lines: readonly TranscriptLine[],
): Promise<ImportBatch> {
  const { agent, connection } = before.translation
  const connected: Event = {
    type: 'agent-connected',
    agent: agent.name,
    connection,
    process: null,
    readFrom: context.file,
    resumed: null,
  }
  const events: Event[] = [connected]
  const times: number[] = []
  let state = before
  let at = context.newest
  for (const line of lines) {
    await context.takeBreak()
    at = timeAfter(at, line, context.now)
    state = switchFile(state, context, line.subagent?.call ?? null, events)
    if (line.denial !== undefined) state = deny(state, context, line.denial, events)
    state = addLine(state, context, line, events)
    while (times.length < events.length) times.push(at)
  }
  state = switchFile(state, context, null, events)
  const ends: Event[] = []
  state = addLine(state, context, ownLine(pauseLine), ends)
  events.push(...ends.map(endOfReading))
  state = endUnanswered(state, events)
  const { open, leftBehind } = events.reduce(follow, { open: context.open, leftBehind: before.leftBehind })
  const chunks = context.isLast ? close(open, leftBehind) : []
  events.push({ type: 'agent-exited', connection, code: 0, signal: null, reason: null, chunks })
  while (times.length < events.length) times.push(at)
  return {
    state: { ...state, leftBehind },
    events,
    times,
    open: chunks.reduce(openParts.apply, open),
    newest: at,
  }
}

/**
 * The time of a line's entries. Times in a session never decrease and are never in the future: a line without a time, or with an
 * older or a future time, gets the time of the line before it.
 */
const timeAfter = (before: number, { at }: TranscriptLine, now: number): number =>
  at === null || at > now ? before : Math.max(before, at)

const ownLine = (raw: string): TranscriptLine => ({ from: 'host', raw: { raw }, at: null, prompt: null })

/** Adds a line of ours where the lines of another file begin. */
function switchFile(
  state: ImportState,
  context: BatchContext,
  call: string | null,
  events: Event[],
): ImportState {
  if (state.subagent === call) return state
  return { ...addLine(state, context, ownLine(subagentLine(call)), events), subagent: call }
}

/** A denied call had an approval request, but transcripts keep only its result. */
function deny(
  before: ImportState,
  context: BatchContext,
  { call, reason }: Denial,
  events: Event[],
): ImportState {
  const state = addLine(before, context, ownLine(deniedLine(call)), events)
  const { pending } = state.placement
  const asked = pending.find(({ toolCallId }) => toolCallId === call)
  if (asked === undefined) return state
  const { approval } = asked
  events.push({ type: 'approval-answered', approval, approved: false, reason, always: false })
  return { ...state, placement: { ...state.placement, pending: pending.filter(each => each !== asked) } }
}

/** The end of the transcript interrupts an answer, not a person. */
const endOfReading = (event: Event): Event =>
  event.type === 'interaction-ended' && event.outcome === 'interrupted'
    ? { ...event, reason: 'The transcript ends here.' }
    : event

function close(open: OpenParts, leftBehind: ReadonlySet<string>): readonly ThreadChunk[] {
  const errorTexts = new Map([...leftBehind].map(call => [call, noResultAtAll]))
  return openParts.closeAll(open, { errorText: noResult, errorTexts, reason: 'interrupted' })
}

const noResult = 'The transcript ends before there was a result.'
const noResultAtAll = 'There is no result of this in the transcript.'

function addLine(
  before: ImportState,
  { session }: BatchContext,
  line: TranscriptLine,
  events: Event[],
): ImportState {
  // A prompt can be in the transcript twice.
  const isKnown = line.prompt === null || before.prompts.has(line.prompt.id)
  const state = isKnown ? before : begin(endUnanswered(before, events), session, line, events)
  const { connection, agent } = state.translation
  let { interactions } = state
  const newId: NewId = <Kind>() => `${session}.i${(interactions += 1)}` as Kind
  const source: LineSource = { agent: agent.name, connection, newId, ending: null, stopped: stoppedByPerson }
  const [translation, chunks] = translateLine(state.translation, line.from, line.raw)
  const translated: TranslatedLine = { from: line.from, raw: line.raw, chunks }
  const unanswered = beginsAnswer(state.messages, chunks) ? null : state.unanswered
  // `assignInteraction` copies its messages, so it gets only those of this line.
  const [placement, assigned] = assignInteraction(
    { ...resumed(state, chunks), messages: messagesIn(state.messages, chunks) },
    source,
    translated,
  )
  for (const [id, interaction] of placement.messages) state.messages.set(id, interaction)
  for (const event of assigned) events.push(event)
  return { ...state, translation, placement, interactions, unanswered }
}

/** A handover of an earlier conversation is not a prompt of a person. */
function ownPart(part: PromptPart): readonly PromptPart[] {
  if (part.type !== 'text') return [part]
  const text = withoutHandover(part.text)
  return text === '' && part.text !== '' ? [] : [{ ...part, text }]
}

/** Starts an interaction with a prompt. */
function begin(
  state: ImportState,
  session: string,
  { prompt }: TranscriptLine,
  events: Event[],
): ImportState {
  if (prompt === null) return state
  const interactions = state.interactions + 1
  const interaction = `${session}.i${interactions}` as InteractionId
  events.push({
    type: 'interaction-started',
    interaction,
    trigger: 'user',
    agent: state.translation.agent.name,
    prompt: prompt.id,
    parts: prompt.parts.flatMap(ownPart),
  })
  const placement = { ...state.placement, running: interaction, latest: interaction, error: null }
  state.prompts.add(prompt.id)
  return { ...state, placement, interactions, unanswered: interaction }
}

/** Ends the running interaction, if there is one. */
function endUnanswered(state: ImportState, events: Event[]): ImportState {
  const { running } = state.placement
  if (running === null) return state
  events.push({
    type: 'interaction-ended',
    interaction: running,
    outcome: 'finished',
    reason: null,
    chunks: [],
  })
  return { ...state, placement: { ...state.placement, running: null } }
}

/** An answer that begins or continues after a pause belongs to its interaction, which then ends a second time. */
function resumed(
  { placement, messages, unanswered }: ImportState,
  chunks: readonly ThreadChunk[],
): LineInteractions {
  if (placement.running !== null) return placement
  const interaction = messages.get(openedFor(chunks) ?? '')
  const running = interaction ?? (beginsAnswer(messages, chunks) ? unanswered : null)
  return running === null ? placement : { ...placement, running }
}

/** The messages that chunks begin or reopen, with their interactions. */
function messagesIn(
  messages: ImportState['messages'],
  chunks: readonly ThreadChunk[],
): LineInteractions['messages'] {
  const found = new Map<string, InteractionId>()
  for (const { chunk } of chunks) {
    const interaction = chunk.type === 'start' ? messages.get(chunk.messageId) : undefined
    if (chunk.type === 'start' && interaction !== undefined) found.set(chunk.messageId, interaction)
  }
  return found
}

/** The answer that some chunks leave open. A late change to an older answer reopens it only for a moment. */
function openedFor(chunks: readonly ThreadChunk[]): string | undefined {
  let before: string | undefined
  let opened: string | undefined
  for (const { thread, chunk } of chunks) {
    if (thread !== null) continue
    if (chunk.type === 'start') [before, opened] = [opened, chunk.messageId]
    else if (chunk.type === 'finish' && !chunk.messageMetadata?.['reason']) opened = before
  }
  return opened
}
