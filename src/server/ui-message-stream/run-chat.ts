import { feed } from '../../journal/follow.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { House } from '../house.ts'
import type { ChatPlan } from './chat-plan.ts'
import { createMessageOrigins, type Page } from './message-origins.ts'
import { createTelling } from './telling.ts'

/** Where the chunks of a chat go, as JSON. */
export interface ChatOutlet {
  /** They complete the stream up to an entry. Returns false when the reader is behind: nothing more before `drained`. */
  send(chunks: readonly string[], seq: number): boolean
  /** Everything was streamed. */
  finish(): void
  /** It cannot go on. */
  cut(): void
}

/** A chat that is being streamed. */
export interface RunningChat {
  start(): void
  drained(): void
  stop(): void
  /** Whether its interaction has not begun. */
  isWaiting(): boolean
}

const mostPage = 256
const mostGathered = 1024
const pageCharacters = 64 << 10

/** Tells an interaction: what has happened of it in as few chunks as can be, then each batch as it comes. */
export function runChat(house: House, plan: ChatPlan, outlet: ChatOutlet): RunningChat {
  const { session } = plan
  const messages = createMessageOrigins(house, session)
  const telling = createTelling(house, plan, messages)
  let page = 16
  /** How many entries are about as much as should be sent at once. */
  let enough = 64
  let gathered = 0
  let seq = plan.after
  const send = () => {
    const chunks = telling.tell()
    if (chunks.length === 0) return true
    const characters = chunks.reduce((sum, { length }) => sum + length, 0)
    const entries = Math.max(1, Math.floor((pageCharacters * gathered) / characters))
    page = Math.min(mostPage, entries)
    enough = Math.min(mostGathered, entries)
    gathered = 0
    return outlet.send(chunks, seq)
  }
  const feeding = feed<Page>(house.bell, session, plan.after, {
    read: (after, limit) => messages.read(after, limit),
    take({ entries }) {
      gathered += entries.length
      seq += entries.length
      const isRoom = telling.gather(entries)
      if (telling.state() !== 'ended') return (isRoom && gathered < enough) || send() ? page : 0
      feeding.stop()
      send()
      outlet.finish()
      return 0
    },
    caughtUp() {
      if (!send()) feeding.more(0)
    },
    failed(error) {
      if (!isDragomanError(error)) house.log('error', 'Streaming a chat failed.', { session, error })
      outlet.cut()
    },
  })
  return {
    start: () => feeding.more(page),
    drained: () => feeding.more(page),
    stop: () => feeding.stop(),
    isWaiting: () => telling.state() === 'waiting',
  }
}
