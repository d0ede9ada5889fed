import type { Client, Readable, Session, SessionState } from 'dragoman/client'
import { createInteractionLoader } from './interaction-loader.ts'
import type { InteractionBook } from './interaction-facts.ts'
import type { Row } from './row.ts'
import { createRows } from './rows.ts'
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
    ({ older, view }, book, threads, outbox) =>
      make({ older, conversation: view.messages, book, threads, outbox, running: running(view.status) }),
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

type Running = { readonly interaction: string; readonly waiting: boolean } | null

/** The same object as long as it says the same. */
function runningOf(): (status: SessionState['view']['status']) => Running {
  let last: Running = null
  return ({ running, status }) => {
    const waiting = status === 'waiting'
    if (running === null) last = null
    else if (last?.interaction !== running.interaction || last.waiting !== waiting)
      last = { interaction: running.interaction, waiting }
    return last
  }
}
