import { isMoot, withQuestion, type PendingApproval } from '../projections/status.ts'
import type { Chunk, FinishReason, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Event, EventOf, Raw } from '../protocol/event.ts'
import type { ConnectionId, InteractionId, NewId } from '../protocol/ids.ts'
import { areOnlyWords } from '../protocol/only-words.ts'
import { lapse } from './close-connections.ts'
import { stoppedByPerson, type Ending } from './ending.ts'

/** One line of either side, and what it means. */
export interface Words {
  readonly from: 'agent' | 'host'
  readonly raw: Raw
  readonly chunks: readonly ThreadChunk[]
}

/** What must be remembered of a connection to tell which interaction its words belong to. */
export interface Memory {
  readonly running: InteractionId | null
  readonly pending: readonly PendingApproval[]
  /** The interaction of each message, and of what each thread says at the moment. */
  readonly messages: ReadonlyMap<string, InteractionId>
  readonly threads: ReadonlyMap<Thread, InteractionId>
  /** The newest interaction: background work that nothing else places belongs to it. */
  readonly latest: InteractionId | null
  /** The last error of the running interaction, in the agent's words. */
  readonly error: string | null
}

/** The names that events carry. */
export interface Speaker {
  readonly agent: string
  readonly connection: ConnectionId
  readonly newId: NewId
  /** Why we ended it, or were about to. */
  readonly ending: Ending | null
}

/** Some events, and what is remembered after them. */
export type Attributed = readonly [memory: Memory, events: readonly Event[]]

/** A chunk, and the interaction that it belongs to. */
interface Owned extends ThreadChunk {
  readonly owner: InteractionId | null
}

/** The memory of a new connection. */
export const blankMemory: Memory = {
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
export function attribute(before: Memory, speaker: Speaker, words: Words): Attributed {
  if (words.chunks.length === 0) return [before, [spoke(before.running, speaker, words)]]
  if (areOnlyWords(words.chunks)) return [before, [spoke(ownerOfWords(before, words.chunks), speaker, words)]]
  const [begun, starts] = begin(before, speaker, words.chunks)
  const [placed, owned] = place(begun, words.chunks)
  const { asked, moot } = questionsAfter(placed.pending, words.chunks)
  const [ended, ends] = finish({ ...placed, pending: asked }, owned)
  const said = spoke(ownerOf(begun, owned), speaker, words)
  // Whoever is stopped does not go on: what waited before that is told first, with the reason.
  const [stopped, rest] = speaker.ending === null ? [[], moot] : partition(moot, before.pending)
  return [
    ended,
    [...starts, ...lapse(stopped, speaker.ending?.reason ?? wentOn), said, ...lapse(rest, wentOn), ...ends],
  ]
}

function spoke(
  interaction: InteractionId | null,
  { connection }: Speaker,
  { from, raw, chunks }: Words,
): Event {
  const type = from === 'agent' ? 'agent-spoke' : 'host-spoke'
  return { type, interaction, connection, ...raw, chunks }
}

/** Finds the interaction of each message that is begun or opened again; one that nobody prompted gets its own. */
function begin(before: Memory, { agent, newId }: Speaker, chunks: readonly ThreadChunk[]): Attributed {
  let memory = before
  const events: Event[] = []
  for (const { thread, chunk } of chunks) {
    if (chunk.type !== 'start') continue
    let owner = memory.messages.get(chunk.messageId) ?? memory.running
    if (owner === null && thread !== null) owner = memory.latest
    if (owner === null) {
      owner = newId<InteractionId>()
      memory = { ...memory, running: owner, latest: owner, error: null }
      events.push({
        type: 'interaction-started',
        interaction: owner,
        trigger: 'agent',
        agent,
        prompt: null,
        parts: [],
      })
    }
    memory = { ...memory, messages: new Map(memory.messages).set(chunk.messageId, owner) }
  }
  return [memory, events]
}

/** Follows each thread from message to message, and so knows the interaction of each chunk. */
function place(memory: Memory, chunks: readonly ThreadChunk[]): readonly [Memory, readonly Owned[]] {
  let { threads } = memory
  const owned = chunks.map((said): Owned => {
    const { thread, chunk } = said
    const begun = chunk.type === 'start' ? memory.messages.get(chunk.messageId) : undefined
    if (begun !== undefined) threads = new Map(threads).set(thread, begun)
    const owner = threads.get(thread) ?? memory.running ?? memory.latest
    if (chunk.type === 'finish') threads = new Map([...threads].filter(([other]) => other !== thread))
    return { ...said, owner }
  })
  return [{ ...memory, threads }, owned]
}

/** Words that go on with what has begun belong where that does, and change nothing else. */
function ownerOfWords(
  { threads, running, latest }: Memory,
  chunks: readonly ThreadChunk[],
): InteractionId | null {
  const { thread = null } = chunks.find(each => each.thread === null) ?? chunks[0] ?? {}
  return threads.get(thread) ?? running ?? latest
}

/** A line is one entry, so it has one owner: of those of its words in the main thread, if any, the one that runs. */
function ownerOf({ running }: Memory, owned: readonly Owned[]): InteractionId | null {
  const main = owned.filter(({ thread }) => thread === null)
  const [first, ...others] = (main.length > 0 ? main : owned).map(({ owner }) => owner)
  return others.includes(running) ? running : (first ?? null)
}

const wentOn = 'The agent continued without an answer.'

/** The questions that wait after some words, and those that are moot by them: their call has ended. */
function questionsAfter(pending: readonly PendingApproval[], chunks: readonly ThreadChunk[]) {
  const all = chunks.reduce(withQuestion, pending)
  const moot = all.filter(question => chunks.some(said => isMoot(question, said)))
  return { asked: moot.length === 0 ? all : all.filter(question => !moot.includes(question)), moot }
}

/** Those of some questions that waited before, and the others. */
function partition(questions: readonly PendingApproval[], before: readonly PendingApproval[]) {
  const isOld = ({ approval }: PendingApproval) => before.some(each => each.approval === approval)
  return [questions.filter(isOld), questions.filter(each => !isOld(each))] as const
}

/** Ends the running interaction when its message in the main thread is finished. */
function finish(before: Memory, owned: readonly Owned[]): Attributed {
  const memory = { ...before, error: errorIn(owned) ?? before.error }
  const { running: interaction } = memory
  const own = owned.filter(({ thread, owner }) => thread === null && owner === interaction)
  const last = own.find(({ chunk }) => chunk.type === 'finish')?.chunk
  if (last?.type !== 'finish' || interaction === null) return [memory, []]
  const lapsed = lapse(memory.pending, 'The interaction ended before this was answered.')
  const ended: Event = {
    type: 'interaction-ended',
    interaction,
    ...outcomeOf(last, memory.error),
    chunks: [],
  }
  return [{ ...memory, running: null, pending: [], error: null }, [...lapsed, ended]]
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
