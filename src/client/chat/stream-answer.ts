import { createThreadCursor } from '../../projections/thread-cursor.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import { DragomanError } from '../../protocol/error.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { Client } from '../create-client.ts'
import { readEvents } from '../follow/read-events.ts'
import { persist } from '../persist.ts'

/** An answer that is being streamed, and how to request it. */
export interface Asked {
  readonly client: Client
  readonly session: string
  /** Asks for it again, from its beginning; null when that cannot be. */
  readonly again: () => Promise<Response | null>
  readonly signal: AbortSignal
  readonly take: (chunk: Chunk) => void
}

/** How far an answer has been streamed. */
interface Progress {
  /** The last entry that was streamed completely; null before the first. */
  seq: number | null
  /** The message that is being streamed. */
  message: string | null
}

/** Streams an answer from a response of the server to its end; when the response is cut, it continues from the journal. */
export async function streamAnswer(asked: Asked, first: Response | null): Promise<void> {
  const { client, signal, again } = asked
  const progress: Progress = { seq: null, message: null }
  for (
    let response = first;
    progress.seq === null;
    response = await persist(client.surroundings, signal, again)
  ) {
    if (response === null)
      throw new DragomanError('unknown-prompt', 'The answer has ended. Load it with the conversation.')
    const isAll = await readResponse(asked, progress, response).catch(() => false)
    signal.throwIfAborted()
    if (isAll) return
  }
  await readJournal(asked, progress)
}

/** True when that was all. Chunks are passed on once their last entry is known, so that none is streamed twice. */
async function readResponse(
  { client, take }: Asked,
  progress: Progress,
  response: Response,
): Promise<boolean> {
  let waiting: Chunk[] = []
  for await (const batch of readEvents(response, client.surroundings.timing.silenceMs))
    for (const { id, data } of batch) {
      if (data === '[DONE]') return true
      if (data !== undefined) waiting.push(JSON.parse(data) as Chunk)
      if (id === undefined) continue
      for (const chunk of waiting) {
        if (chunk.type === 'start') progress.message = chunk.messageId
        take(chunk)
      }
      progress.seq = Number(id)
      waiting = []
    }
  return false
}

/** Only one interaction runs at a time, so that the next end is its end. */
async function readJournal(
  { client, session, signal, take }: Asked,
  { seq, message }: Progress,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cursor = createThreadCursor()
  const ours = message ?? ''
  cursor.follow({ thread: null, chunk: { type: 'start', messageId: ours } })
  const gone = (reason: string) => reject(new DragomanError('unknown-session', reason))
  const following = client.follow(session, seq ?? 0, {
    entries(entries) {
      for (const entry of entries) {
        // An older message may be opened again in between, for a late result.
        for (const each of chunksOf(entry.event))
          if (cursor.follow(each) === ours && each.thread === null) take(each.chunk)
        if (entry.event.type === 'interaction-ended') return resolve()
      }
    },
    reset: () => gone('The server no longer has this answer.'),
    gone,
  })
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort)
  await promise.finally(() => {
    signal.removeEventListener('abort', abort)
    following.stop()
  })
}
