import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { OpenParts } from '../protocol/open-parts.ts'

/** Knows which message each chunk belongs to: the one its thread has open. */
export interface ThreadCursor {
  /** The message of a chunk, or null when its thread has begun none. Chunks must come in order. */
  follow(said: ThreadChunk): string | null
  /** The messages that are open. */
  live(): readonly LiveMessage[]
}

/** A message that is open in its thread. */
interface LiveMessage {
  readonly thread: Thread
  readonly message: string
}

interface Place {
  readonly message: string
  /** The message that was open when this one was opened again, and goes on after it. */
  readonly under: string | null
  readonly open: boolean
}

/** Starts with no thread known, or with the messages that are open. */
export function createThreadCursor(from: OpenParts['messages'] = []): ThreadCursor {
  const places = new Map<Thread, Place>(
    from.flatMap(({ thread, messageId: message, live }) =>
      live ? [[thread, { message, under: null, open: true }] as const] : [],
    ),
  )
  return {
    live: () =>
      Array.from(places).flatMap(([thread, { message, open: is }]) => (is ? { thread, message } : [])),
    follow({ thread, chunk }) {
      const place = places.get(thread)
      if (chunk.type === 'start') {
        places.set(thread, open(place, chunk.messageId))
        return chunk.messageId
      }
      if (place === undefined) return null
      if (chunk.type === 'finish') places.set(thread, close(place))
      return place.message
    },
  }
}

function open(place: Place | undefined, message: string): Place {
  const under = place?.open === true && place.message !== message ? place.message : null
  return { message, under, open: true }
}

function close({ message, under }: Place): Place {
  return under === null ? { message, under, open: false } : { message: under, under: null, open: true }
}
