import { createThreadCursor } from '../../projections/thread-cursor.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, type Event } from '../../protocol/event.ts'
import type { InteractionId, PromptId } from '../../protocol/ids.ts'
import { emptyAnswer, type Silence } from './empty-answer.ts'
import type { Item } from './item.ts'
import { createShorten } from './shorten.ts'

/** Which interaction it is: its own name, or the prompt that will begin it. */
export type Subject =
  | { readonly interaction: InteractionId }
  | { readonly interaction: null; readonly prompt: PromptId }

/** Picks the items of one interaction from a session's entries: one message of the main conversation. */
export interface InteractionItems {
  /** What an entry adds. */
  take(entry: Entry): readonly Item[]
  state(): 'waiting' | 'running' | 'ended'
}

/** Begins before the interaction's first chunk. `isOld` knows the messages of earlier interactions. */
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
  const hear = ({ event, seq }: Entry): readonly Item[] =>
    chunksOf(event).flatMap(said => {
      const { thread, chunk } = said
      if (thread !== null) return []
      const of = cursor.follow(said)
      // While this one runs a late result may open an earlier message again. A client would take it for a part of this.
      if (chunk.type === 'start' && message === null && !isOldHere(chunk.messageId)) message = chunk.messageId
      return of === message && of !== null ? shorten(chunk, seq) : []
    })
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
      const items = hear(entry)
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
