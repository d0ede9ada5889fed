import type { Client, Readable, Session, SessionState } from 'dragoman/client'
import { createInteractionLoader } from './interaction-loader.ts'
import type { InteractionBook } from './interaction-facts.ts'
import type { Row } from './row.ts'
import { createRows, type RunningNow } from './rows.ts'
import { derive } from './derive.ts'
import { createThinkingTimes, type ThinkingTimes } from './thinking-times.ts'
import { createThreadShelf } from './thread-shelf.ts'

/** Everything that the transcript of one session is shown from. */
export interface TranscriptRoom {
  readonly rows: Readable<readonly Row[]>
  readonly book: Readable<InteractionBook>
  readonly times: ThinkingTimes
  readonly choose: (thread: string, open: boolean) => void
  /** Begins to listen; the returned function ends it. */
  readonly start: () => () => void
}

/** Nothing is asked of the server until it is started or its rows are read. */
export function createTranscriptRoom(client: Client, session: Session): TranscriptRoom {
  const loader = createInteractionLoader(client, session)
  const shelf = createThreadShelf(client, session.id)
  const times = createThinkingTimes(session, client.surroundings.now)
  const make = createRows()
  const running = runningOf()
  const rows = derive(
    [session.state, loader.book, shelf.choices, session.outbox] as const,
    (state, book, threads, outbox) => {
      const { older, view } = state
      return make({ older, conversation: view.messages, book, threads, outbox, running: running(state) })
    },
  )
  return {
    rows,
    book: loader.book,
    times,
    choose: (thread, open) => shelf.choose(thread, open, session.state.get().view.messages.has(thread)),
    start() {
      const stops = [loader.start(), times.start()]
      return () => stops.forEach(stop => stop())
    },
  }
}

/** The same object as long as it says the same. */
function runningOf(): (state: SessionState) => RunningNow | null {
  let last: RunningNow | null = null
  return ({ facts, view: { status } }) => {
    if (status.running === null) return (last = null)
    const { interaction } = status.running
    const now = { interaction, waiting: status.status === 'waiting', places: facts?.awaitsPlace ?? null }
    const isSame =
      last?.interaction === interaction && last.waiting === now.waiting && last.places === now.places
    return isSame ? last : (last = now)
  }
}
