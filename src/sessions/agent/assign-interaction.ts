import { questionsAfter, type PendingApproval } from '../../projections/questions.ts'
import type { Chunk, FinishReason, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { Event, EventOf, Raw } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, NewId } from '../../protocol/ids.ts'
import { areOnlyWords } from '../../protocol/only-words.ts'
import { lapse } from '../own/close-connections.ts'
import { stoppedByPerson, type Ending } from './ending.ts'

/** One line of either side, and its chunks. */
export interface TranslatedLine {
  readonly from: 'agent' | 'host'
  readonly raw: Raw
  readonly chunks: readonly ThreadChunk[]
}

/** What must be known of a connection to decide which interaction a line belongs to. */
export interface InteractionOwners {
  readonly running: InteractionId | null
  readonly pending: readonly PendingApproval[]
  /** The interaction of each message, and of what each thread says at the moment. */
  readonly messages: ReadonlyMap<string, InteractionId>
  readonly threads: ReadonlyMap<Thread, InteractionId>
  /** The newest interaction: background work that nothing else places belongs to it. */
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
}

/** Some events, and the owners after them. */
export type AssignedEvents = readonly [owners: InteractionOwners, events: readonly Event[]]

/** A chunk, and the interaction that it belongs to. */
interface Owned extends ThreadChunk {
  readonly owner: InteractionId | null
}

/** The owners of a new connection. */
export const noOwners: InteractionOwners = {
  running: null,
  pending: [],
  messages: new Map(),
  threads: new Map(),
  latest: null,
  error: null,
}

/**
 * Makes events of one line. It belongs to the interaction that runs, or to the earlier one whose message it
 * opens again, or to a new one that the agent begins by itself. Where it finishes the running one, that ends.
 */
export function assignInteraction(
  before: InteractionOwners,
  source: LineSource,
  line: TranslatedLine,
): AssignedEvents {
  if (line.chunks.length === 0) return [before, [spoke(before.running, source, line)]]
  if (areOnlyWords(line.chunks)) return [before, [spoke(ownerOfWords(before, line.chunks), source, line)]]
  const [begun, starts] = begin(before, source, line.chunks)
  const [placed, owned] = place(begun, line.chunks)
  const { pending, lapsed } = questionsAfter(placed.pending, line.chunks)
  const [ended, ends] = finish({ ...placed, pending }, owned)
  const said = spoke(ownerOf(begun, owned), source, line)
  // Whoever is stopped does not go on: what waited before that is told first, with the reason.
  const [stopped, rest] = source.ending === null ? [[], lapsed] : partition(lapsed, before.pending)
  return [
    ended,
    [...starts, ...lapse(stopped, source.ending?.reason ?? wentOn), said, ...lapse(rest, wentOn), ...ends],
  ]
}

function spoke(
  interaction: InteractionId | null,
  { connection }: LineSource,
  { from, raw, chunks }: TranslatedLine,
): Event {
  const type = from === 'agent' ? 'agent-spoke' : 'host-spoke'
  return { type, interaction, connection, ...raw, chunks }
}

/** Finds the interaction of each message that is begun or opened again; one that nobody prompted gets its own. */
function begin(
  before: InteractionOwners,
  { agent, newId }: LineSource,
  chunks: readonly ThreadChunk[],
): AssignedEvents {
  let owners = before
  const events: Event[] = []
  for (const { thread, chunk } of chunks) {
    if (chunk.type !== 'start') continue
    let owner = owners.messages.get(chunk.messageId) ?? owners.running
    if (owner === null && thread !== null) owner = owners.latest
    if (owner === null) {
      owner = newId<InteractionId>()
      owners = { ...owners, running: owner, latest: owner, error: null }
      events.push({
        type: 'interaction-started',
        interaction: owner,
        trigger: 'agent',
        agent,
        prompt: null,
        parts: [],
      })
    }
    owners = { ...owners, messages: new Map(owners.messages).set(chunk.messageId, owner) }
  }
  return [owners, events]
}

/** Follows each thread from message to message, and so knows the interaction of each chunk. */
function place(
  owners: InteractionOwners,
  chunks: readonly ThreadChunk[],
): readonly [InteractionOwners, readonly Owned[]] {
  let { threads } = owners
  const owned = chunks.map((said): Owned => {
    const { thread, chunk } = said
    const begun = chunk.type === 'start' ? owners.messages.get(chunk.messageId) : undefined
    if (begun !== undefined) threads = new Map(threads).set(thread, begun)
    const owner = threads.get(thread) ?? owners.running ?? owners.latest
    if (chunk.type === 'finish') threads = new Map([...threads].filter(([other]) => other !== thread))
    return { ...said, owner }
  })
  return [{ ...owners, threads }, owned]
}

/** TranslatedLine that go on with what has begun belong where that does, and change nothing else. */
function ownerOfWords(
  { threads, running, latest }: InteractionOwners,
  chunks: readonly ThreadChunk[],
): InteractionId | null {
  const { thread = null } = chunks.find(each => each.thread === null) ?? chunks[0] ?? {}
  return threads.get(thread) ?? running ?? latest
}

/** A line is one entry, so it has one owner: of those of its words in the main thread, if any, the one that runs. */
function ownerOf({ running }: InteractionOwners, owned: readonly Owned[]): InteractionId | null {
  const main = owned.filter(({ thread }) => thread === null)
  const [first, ...others] = (main.length > 0 ? main : owned).map(({ owner }) => owner)
  return others.includes(running) ? running : (first ?? null)
}

const wentOn = 'The agent continued without an answer.'

/** Those of some questions that waited before, and the others. */
function partition(questions: readonly PendingApproval[], before: readonly PendingApproval[]) {
  const isOld = ({ approval }: PendingApproval) => before.some(each => each.approval === approval)
  return [questions.filter(isOld), questions.filter(each => !isOld(each))] as const
}

/** Ends the running interaction when its message in the main thread is finished. */
function finish(before: InteractionOwners, owned: readonly Owned[]): AssignedEvents {
  const owners = { ...before, error: errorIn(owned) ?? before.error }
  const { running: interaction } = owners
  const own = owned.filter(({ thread, owner }) => thread === null && owner === interaction)
  const last = own.find(({ chunk }) => chunk.type === 'finish')?.chunk
  if (last?.type !== 'finish' || interaction === null) return [owners, []]
  const lapsed = lapse(owners.pending, 'The interaction ended before this was answered.')
  const ended: Event = {
    type: 'interaction-ended',
    interaction,
    ...outcomeOf(last, owners.error),
    chunks: [],
  }
  return [{ ...owners, running: null, pending: [], error: null }, [...lapsed, ended]]
}

function errorIn(chunks: readonly ThreadChunk[]): string | undefined {
  const error = chunks.findLast(({ thread, chunk }) => thread === null && chunk.type === 'error')?.chunk
  return error?.type === 'error' ? error.errorText : undefined
}

function outcomeOf(
  { finishReason, messageMetadata }: Extract<Chunk, { type: 'finish' }>,
  error: string | null,
): Pick<EventOf<'interaction-ended'>, 'outcome' | 'reason'> {
  if (messageMetadata?.['reason'] === 'interrupted') return stoppedByPerson
  const cut = finishReason === undefined ? undefined : cutOff[finishReason]
  if (cut !== undefined) return { outcome: 'failed', reason: cut }
  if (finishReason !== 'error') return { outcome: 'finished', reason: null }
  return { outcome: 'failed', reason: error ?? 'The agent reported an error without details.' }
}

/** Why an answer is not whole although its agent ended it in good order. */
const cutOff: Partial<Record<FinishReason, string>> = {
  length: 'Cut off: the answer reached the output limit. Ask the agent to continue.',
  'content-filter': 'Cut off: the model refused to answer, or a filter stopped it.',
}
