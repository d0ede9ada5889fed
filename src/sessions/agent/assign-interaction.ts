import { questionsAfter, type PendingApproval } from '../../projections/questions.ts'
import type { Chunk, FinishReason, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import { areOnlyText, type Event, type EventOf, type Raw } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, NewId } from '../../protocol/ids.ts'
import { lapseEvents } from '../own/close-connections.ts'
import type { Ending } from './ending.ts'

/** One line of either side, and its chunks. */
export interface TranslatedLine {
  readonly from: 'agent' | 'host'
  readonly raw: Raw
  readonly chunks: readonly ThreadChunk[]
}

/** The state of a connection that decides which interaction a line belongs to. */
export interface LineInteractions {
  readonly running: InteractionId | null
  readonly pending: readonly PendingApproval[]
  /** The interaction of each message, and of the open message of each thread. */
  readonly messages: ReadonlyMap<string, InteractionId>
  readonly threads: ReadonlyMap<Thread, InteractionId>
  /** The newest interaction. Background work belongs to it, unless its message or thread has another. */
  readonly latest: InteractionId | null
  /** The last error of the running interaction, in the agent's line. */
  readonly error: string | null
}

/** The agent and connection that lines come from. */
export interface LineSource {
  readonly agent: string
  readonly connection: ConnectionId
  readonly newId: NewId
  /** Why we ended it, or were about to. */
  readonly ending: Ending | null
  /** Why an interaction was stopped, if its agent reports that it was. */
  readonly stopped: Ending
}

/** Some events, and the interactions of lines after them. */
export type AssignedEvents = readonly [interactions: LineInteractions, events: readonly Event[]]

/** A chunk, and the interaction that it belongs to. */
interface ChunkOfInteraction extends ThreadChunk {
  readonly interaction: InteractionId | null
}

/** The interactions of a new connection. */
export const noInteractions: LineInteractions = {
  running: null,
  pending: [],
  messages: new Map(),
  threads: new Map(),
  latest: null,
  error: null,
}

/**
 * Turns one line into events. It belongs to the running interaction, to the earlier one whose message it opens again, or to a new
 * one that the agent starts without a prompt. A line that finishes the running interaction ends it.
 */
export function assignInteraction(
  before: LineInteractions,
  source: LineSource,
  line: TranslatedLine,
): AssignedEvents {
  if (line.chunks.length === 0) return [before, [lineEvent(before.running, source, line)]]
  if (areOnlyText(line.chunks))
    return [before, [lineEvent(interactionOfText(before, line.chunks), source, line)]]
  const [begun, starts] = begin(before, source, line.chunks)
  const [after, placed] = place(begun, line.chunks)
  const { pending, lapsed } = questionsAfter(after.pending, line.chunks)
  const [ended, ends] = finish({ ...after, pending }, placed, source.stopped)
  const event = lineEvent(interactionOf(begun, placed), source, line)
  // Approvals that were pending before the agent was stopped lapse before its last line, with the reason for the stop.
  const [stopped, rest] = source.ending === null ? [[], lapsed] : partition(lapsed, before.pending)
  return [
    ended,
    [
      ...starts,
      ...lapseEvents(stopped, source.ending?.reason ?? wentOn),
      event,
      ...lapseEvents(rest, wentOn),
      ...ends,
    ],
  ]
}

function lineEvent(
  interaction: InteractionId | null,
  { connection }: LineSource,
  { from, raw, chunks }: TranslatedLine,
): Event {
  const type = from === 'agent' ? 'agent-spoke' : 'host-spoke'
  return { type, interaction, connection, ...raw, chunks }
}

/** Finds the interaction of each message that starts or is opened again. A message without a prompt starts a new interaction. */
function begin(
  before: LineInteractions,
  { agent, newId }: LineSource,
  chunks: readonly ThreadChunk[],
): AssignedEvents {
  let interactions = before
  const events: Event[] = []
  for (const { thread, chunk } of chunks) {
    if (chunk.type !== 'start') continue
    let interaction = interactions.messages.get(chunk.messageId) ?? interactions.running
    if (interaction === null && thread !== null) interaction = interactions.latest
    if (interaction === null) {
      interaction = newId<InteractionId>()
      interactions = { ...interactions, running: interaction, latest: interaction, error: null }
      events.push({
        type: 'interaction-started',
        interaction,
        trigger: 'agent',
        agent,
        prompt: null,
        parts: [],
      })
    }
    interactions = {
      ...interactions,
      messages: new Map(interactions.messages).set(chunk.messageId, interaction),
    }
  }
  return [interactions, events]
}

/** Finds the interaction of each chunk: that of the open message of its thread. */
function place(
  interactions: LineInteractions,
  chunks: readonly ThreadChunk[],
): readonly [LineInteractions, readonly ChunkOfInteraction[]] {
  let { threads } = interactions
  const placed = chunks.map((each): ChunkOfInteraction => {
    const { thread, chunk } = each
    const begun = chunk.type === 'start' ? interactions.messages.get(chunk.messageId) : undefined
    if (begun !== undefined) threads = new Map(threads).set(thread, begun)
    const interaction = threads.get(thread) ?? interactions.running ?? interactions.latest
    if (chunk.type === 'finish') threads = new Map([...threads].filter(([other]) => other !== thread))
    return { ...each, interaction }
  })
  return [{ ...interactions, threads }, placed]
}

/** Text that continues belongs to the interaction of its thread, and changes nothing else. */
function interactionOfText(
  { threads, running, latest }: LineInteractions,
  chunks: readonly ThreadChunk[],
): InteractionId | null {
  const { thread = null } = chunks.find(each => each.thread === null) ?? chunks[0] ?? {}
  return threads.get(thread) ?? running ?? latest
}

/** A line is one entry, so it has one interaction: the running one if any chunk has it, else the first. The main thread goes first. */
function interactionOf(
  { running }: LineInteractions,
  placed: readonly ChunkOfInteraction[],
): InteractionId | null {
  const main = placed.filter(({ thread }) => thread === null)
  const [first, ...others] = (main.length > 0 ? main : placed).map(({ interaction }) => interaction)
  return others.includes(running) ? running : (first ?? null)
}

const wentOn = 'The agent continued without an answer.'

/** Splits approvals into those that were pending before, and the others. */
function partition(questions: readonly PendingApproval[], before: readonly PendingApproval[]) {
  const isOld = ({ approval }: PendingApproval) => before.some(each => each.approval === approval)
  return [questions.filter(isOld), questions.filter(each => !isOld(each))] as const
}

/** Ends the running interaction when its message in the main thread is finished. */
function finish(
  before: LineInteractions,
  placed: readonly ChunkOfInteraction[],
  stopped: Ending,
): AssignedEvents {
  const interactions = { ...before, error: errorIn(placed) ?? before.error }
  const { running } = interactions
  const own = placed.filter(({ thread, interaction }) => thread === null && interaction === running)
  const last = own.find(({ chunk }) => chunk.type === 'finish')?.chunk
  if (last?.type !== 'finish' || running === null) return [interactions, []]
  const lapsed = lapseEvents(interactions.pending, 'The interaction ended before this was answered.')
  const ended: Event = {
    type: 'interaction-ended',
    interaction: running,
    ...outcomeOf(last, interactions.error, stopped),
    chunks: [],
  }
  return [{ ...interactions, running: null, pending: [], error: null }, [...lapsed, ended]]
}

function errorIn(chunks: readonly ThreadChunk[]): string | undefined {
  const error = chunks.findLast(({ thread, chunk }) => thread === null && chunk.type === 'error')?.chunk
  return error?.type === 'error' ? error.errorText : undefined
}

function outcomeOf(
  { finishReason, messageMetadata }: Extract<Chunk, { type: 'finish' }>,
  error: string | null,
  { outcome, reason }: Ending,
): Pick<EventOf<'interaction-ended'>, 'outcome' | 'reason'> {
  if (messageMetadata?.['reason'] === 'interrupted') return { outcome, reason }
  const cut = finishReason === undefined ? undefined : cutOff[finishReason]
  if (cut !== undefined) return { outcome: 'failed', reason: cut }
  if (finishReason !== 'error') return { outcome: 'finished', reason: null }
  return { outcome: 'failed', reason: error ?? 'The agent reported an error without details.' }
}

/** Why an answer is cut off although the agent finished it. */
const cutOff: Partial<Record<FinishReason, string>> = {
  length: 'Cut off: the answer reached the output limit. Ask the agent to continue.',
  'content-filter': 'Cut off: the model refused to answer, or a filter stopped it.',
}
