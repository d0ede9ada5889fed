import type { Chunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
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
interface Told {
  /** The last entry that was streamed completely; null before the first. */
  seq: number | null
  /** The message that is being streamed. */
  message: string | null
}

/** Tells an answer from a response of the server to its end; where the response is cut, it goes on from the journal. */
export async function tellAnswer(asked: Asked, first: Response | null): Promise<void> {
  const { client, signal, again } = asked
  const told: Told = { seq: null, message: null }
  for (
    let response = first;
    told.seq === null;
    response = await persist(client.surroundings, signal, again)
  ) {
    if (response === null)
      throw new DragomanError('unknown-prompt', 'The answer has ended. Load it with the conversation.')
    const isAll = await readResponse(asked, told, response).catch(() => false)
    signal.throwIfAborted()
    if (isAll) return
  }
  await readJournal(asked, told)
}

/** True when that was all. Chunks are passed on once their last entry is known, so that none is streamed twice. */
async function readResponse({ client, take }: Asked, told: Told, response: Response): Promise<boolean> {
  let waiting: Chunk[] = []
  for await (const batch of readEvents(response, client.surroundings.timing.silenceMs))
    for (const { id, data } of batch) {
      if (data === '[DONE]') return true
      if (data !== undefined) waiting.push(JSON.parse(data) as Chunk)
      if (id === undefined) continue
      for (const chunk of waiting) {
        if (chunk.type === 'start') told.message = chunk.messageId
        take(chunk)
      }
      told.seq = Number(id)
      waiting = []
    }
  return false
}

/** Only one interaction runs at a time, so that the next end is its end. */
async function readJournal({ client, session, signal, take }: Asked, { seq, message }: Told): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const pick = pickMessage(message)
  const gone = (reason: string) => reject(new DragomanError('unknown-session', reason))
  const following = client.follow(session, seq ?? 0, {
    entries(entries) {
      for (const entry of entries) {
        pick(entry).forEach(take)
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

/** Of the main conversation only one message: an older one may be opened again in between, for a late result. */
function pickMessage(message: string | null): (entry: Entry) => readonly Chunk[] {
  let open = message
  return ({ event }) =>
    chunksOf(event).flatMap(({ thread, chunk }) => {
      if (thread !== null) return []
      if (chunk.type === 'start') open = chunk.messageId
      const isOurs = open === message
      if (chunk.type === 'finish') open = message
      return isOurs ? [chunk] : []
    })
}
