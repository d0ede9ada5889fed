import { isMoot, withQuestion, type PendingApproval } from '../projections/status.ts'
import type { Chunk, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Event, EventOf, Raw } from '../protocol/event.ts'
import type { ConnectionId, InteractionId, NewId } from '../protocol/ids.ts'
import { lapse } from './close-connections.ts'
import { stoppedByPerson } from './ending.ts'

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
}

/** Some events, and what is remembered after them. */
export type Attributed = readonly [memory: Memory, events: readonly Event[]]

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
  const [begun, starts] = begin(before, speaker, words.chunks)
  const interaction = ownerOf(begun, words.chunks)
  const [heard, moot] = settleQuestions(begun, words.chunks)
  const [ended, ends] = finish(heard, interaction, words.chunks)
  return [
    leaveThreads(ended, words.chunks),
    [...starts, spoke(interaction, speaker, words), ...moot, ...ends],
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
    memory = {
      ...memory,
      messages: new Map(memory.messages).set(chunk.messageId, owner),
      threads: new Map(memory.threads).set(thread, owner),
    }
  }
  return [memory, events]
}

/** A line is one entry, so it has one owner: that of its words in the main thread, if it has any there. */
function ownerOf({ threads, running, latest }: Memory, chunks: readonly ThreadChunk[]): InteractionId | null {
  const said = chunks.find(({ thread }) => thread === null) ?? chunks[0]
  return (said && threads.get(said.thread)) ?? running ?? latest
}

/** Takes in new questions; one whose call has ended is moot. */
function settleQuestions(before: Memory, chunks: readonly ThreadChunk[]): Attributed {
  const asked = chunks.reduce(withQuestion, before.pending)
  if (asked.length === 0) return [before, []]
  const moot = asked.filter(question => chunks.some(said => isMoot(question, said)))
  const pending = moot.length === 0 ? asked : asked.filter(question => !moot.includes(question))
  return [{ ...before, pending }, lapse(moot, 'The agent went on without an answer.')]
}

/** Ends the running interaction when its message in the main thread is finished. */
function finish(
  before: Memory,
  interaction: InteractionId | null,
  chunks: readonly ThreadChunk[],
): Attributed {
  const memory = { ...before, error: errorIn(chunks) ?? before.error }
  const last = chunks.find(({ thread, chunk }) => thread === null && chunk.type === 'finish')?.chunk
  if (last?.type !== 'finish' || interaction === null || interaction !== memory.running) return [memory, []]
  const lapsed = lapse(memory.pending, 'The interaction ended before it was answered.')
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
  if (finishReason !== 'error') return { outcome: 'finished', reason: null }
  return { outcome: 'failed', reason: error ?? 'The agent reported an error and did not say which.' }
}

function leaveThreads(memory: Memory, chunks: readonly ThreadChunk[]): Memory {
  const left = chunks.filter(({ chunk }) => chunk.type === 'finish').map(({ thread }) => thread)
  if (left.length === 0) return memory
  const threads = new Map(memory.threads)
  for (const thread of left) threads.delete(thread)
  return { ...memory, threads }
}
