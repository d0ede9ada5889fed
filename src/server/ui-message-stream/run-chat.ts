import { feed } from '../../journal/follow.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { ServerParts } from '../server-parts.ts'
import type { ChatPlan } from './chat-plan.ts'
import { createMessageOrigins, type Page } from './message-origins.ts'
import { createChatChunks } from './chat-chunks.ts'

/** Receives the chunks of a chat, as JSON. */
export interface ChatOutlet {
  /** Sends all chunks up to an entry. Returns false if the reader is behind: then wait for `drained`. */
  send(chunks: readonly string[], seq: number): boolean
  /** Everything was streamed. */
  finish(): void
  /** The stream failed. */
  cut(): void
}

/** A chat that is being streamed. */
export interface RunningChat {
  start(): void
  drained(): void
  stop(): void
  /** Whether its interaction has not started. */
  isWaiting(): boolean
}

const mostPage = 256
const mostGathered = 1024
const pageCharacters = 64 << 10

/** Streams an interaction: what has happened so far in as few chunks as possible, then each batch as it comes. */
export function runChat(server: ServerParts, plan: ChatPlan, outlet: ChatOutlet): RunningChat {
  const { session } = plan
  const messages = createMessageOrigins(server, session)
  const pending = createChatChunks(server, plan, messages)
  let page = 16
  /** About how many entries to send at once. */
  let enough = 64
  let gathered = 0
  let seq = plan.after
  const send = () => {
    const chunks = pending.take()
    if (chunks.length === 0) return true
    const characters = chunks.reduce((sum, { length }) => sum + length, 0)
    const entries = Math.max(1, Math.floor((pageCharacters * gathered) / characters))
    page = Math.min(mostPage, entries)
    enough = Math.min(mostGathered, entries)
    gathered = 0
    return outlet.send(chunks, seq)
  }
  const feeding = feed<Page>(server.bell, session, plan.after, {
    read: (after, limit) => messages.read(after, limit),
    take({ entries }) {
      gathered += entries.length
      seq += entries.length
      const isRoom = pending.gather(entries)
      if (pending.state() !== 'ended') return (isRoom && gathered < enough) || send() ? page : 0
      feeding.stop()
      send()
      outlet.finish()
      return 0
    },
    caughtUp() {
      if (!send()) feeding.more(0)
    },
    failed(error) {
      if (!isDragomanError(error)) server.log('error', 'Streaming a chat failed.', { session, error })
      outlet.cut()
    },
  })
  return {
    start: () => feeding.more(page),
    drained: () => feeding.more(page),
    stop: () => feeding.stop(),
    isWaiting: () => pending.state() === 'waiting',
  }
}
