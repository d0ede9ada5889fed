import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { OpenParts } from '../protocol/open-parts.ts'

/** Knows which message each chunk belongs to: the one its thread has open. */
export interface ThreadCursor {
  /** The message of a chunk, or null when its thread has begun none. Chunks must come in order. */
  follow(from: ThreadChunk): string | null
  readonly places: ReadonlyMap<Thread, Place>
}

/** The last message of a thread that received a chunk. */
interface Place {
  readonly message: string
  /** The message that was open when this one was opened again, and continues after it. */
  readonly under: string | null
  readonly isOpen: boolean
}

/** Starts with no thread known, or with the messages that are open. */
export function createThreadCursor(from: OpenParts['messages'] = []): ThreadCursor {
  const places = new Map<Thread, Place>()
  for (const { thread, messageId: message, live: isOpen } of from)
    if (isOpen) places.set(thread, { message, under: null, isOpen })
  return {
    places,
    follow({ thread, chunk }) {
      const place = places.get(thread)
      if (chunk.type === 'start') {
        const { messageId: message } = chunk
        const under = place?.isOpen && place.message !== message ? place.message : null
        places.set(thread, { message, under, isOpen: true })
        return message
      }
      if (!place) return null
      const { message, under } = place
      if (chunk.type === 'finish')
        places.set(thread, { message: under ?? message, under: null, isOpen: under !== null })
      return message
    },
  }
}
