import { createThreadCursor } from '../../projections/thread-cursor.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import { chunksOf, type Event, type Outcome } from '../../protocol/event.ts'
import type { InteractionId, PromptId } from '../../protocol/ids.ts'
import type { Item } from './item.ts'
import { createShorten } from './shorten.ts'

/** The interaction by its id, or by the prompt that will start it. */
export type Subject =
  | { readonly interaction: InteractionId }
  | { readonly interaction: null; readonly prompt: PromptId }

/** Picks the items of one interaction from a session's entries: one message of the main conversation. */
export interface InteractionItems {
  /** The items that an entry adds. */
  take(entry: Entry): readonly Item[]
  state(): 'waiting' | 'running' | 'ended'
}

/** Starts before the interaction's first chunk. `isOld` recognizes messages of earlier interactions. */
export function createInteractionItems(
  subject: Subject,
  isOld: (messageId: string, interaction: InteractionId) => boolean,
): InteractionItems {
  const cursor = createThreadCursor()
  const shorten = createShorten()
  let { interaction } = subject
  let message: string | null = null
  let isEnded = false

  const isOldHere = (id: string) => interaction !== null && isOld(id, interaction)
  const itemsOf = ({ event, seq }: Entry): readonly Item[] => {
    const items: Item[] = []
    for (const threadChunk of chunksOf(event)) {
      const { thread, chunk } = threadChunk
      if (thread !== null) continue
      const of = cursor.follow(threadChunk)
      // A late result may reopen an earlier message meanwhile. The client would add it to this one.
      if (chunk.type === 'start' && message === null && !isOldHere(chunk.messageId)) message = chunk.messageId
      if (of !== message || of === null) continue
      if (chunk.type === 'text-delta') items.push(chunk)
      else for (const item of shorten(chunk, seq)) items.push(item)
    }
    return items
  }
  const wait = ({ event, id }: Entry): readonly Item[] => {
    if (isBegun(event, subject)) ({ interaction } = event)
    isEnded = isForgotten(event, subject)
    return isEnded ? emptyAnswer(id, neverBegun) : []
  }
  return {
    state() {
      if (isEnded) return 'ended'
      return interaction === null ? 'waiting' : 'running'
    },
    take(entry) {
      const { event } = entry
      if (isEnded) return []
      if (interaction === null) return wait(entry)
      if (event.type === 'approval-answered') {
        const { approval, approved, reason } = event
        return [{ type: 'answer', approval, approved, reason }]
      }
      const items = itemsOf(entry)
      if (event.type !== 'interaction-ended' || event.interaction !== interaction) return items
      isEnded = true
      return message === null ? emptyAnswer(interaction, event) : items
    },
  }
}

const neverBegun: Silence = { outcome: 'interrupted', reason: 'The prompt was cancelled before it started.' }

const isBegun = (event: Event, subject: Subject): event is Extract<Event, { type: 'interaction-started' }> =>
  event.type === 'interaction-started' && subject.interaction === null && event.prompt === subject.prompt

const isForgotten = (event: Event, subject: Subject) =>
  event.type === 'session-deleted' ||
  (event.type === 'prompt-withdrawn' && subject.interaction === null && event.prompt === subject.prompt)

/** How an interaction without messages ended. */
interface Silence {
  readonly outcome: Outcome
  readonly reason: string | null
}

/** The message for a client when an agent wrote nothing, or could not start. It is complete, because the client waits for one. */
function emptyAnswer(name: string, { outcome, reason }: Silence): readonly Chunk[] {
  const messageMetadata = { reason: outcome }
  const start: Chunk = { type: 'start', messageId: `${name}:answer`, messageMetadata }
  if (outcome === 'finished') return [start, { type: 'finish', finishReason: 'stop' }]
  if (outcome === 'interrupted') return [start, { type: 'finish', finishReason: 'other', messageMetadata }]
  return [
    start,
    { type: 'error', errorText: reason ?? 'The agent failed without giving a reason.' },
    { type: 'finish', finishReason: 'error', messageMetadata },
  ]
}
