import type { Message } from 'dragoman'
import type { Client, Readable, Session, SessionState } from 'dragoman/client'
import { createInteractionLoader } from './interaction-loader.ts'
import { covers, type InteractionBook } from './interaction-facts.ts'
import type { Row } from './row.ts'
import { createRows, type RunningNow } from './rows.ts'
import { derive } from './derive.ts'
import { createThinkingTimes, type ThinkingTimes } from './thinking-times.ts'
import { createThreadShelf } from './thread-shelf.ts'

/** Everything that the transcript of one session is shown from. */
export interface TranscriptRoom {
  readonly rows: Readable<readonly Row[]>
  /** Whether there is something to show that is not shown yet: its interactions are not known. */
  readonly isReading: Readable<boolean>
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
  const times = createThinkingTimes(client, session)
  const make = createRows()
  const running = runningOf()
  const olderOf = holdOlder()
  const rows = derive(
    [session.state, loader.book, shelf.choices, session.outbox] as const,
    (state, book, threads, outbox) => {
      const shown = isUnread(state, book)
        ? { conversation: nothing, running: null }
        : { conversation: state.view.messages, running: running(state) }
      return make({ older: olderOf(state, book), book, threads, outbox, ...shown })
    },
  )
  return {
    rows,
    isReading: derive([session.state, loader.book] as const, isUnread),
    book: loader.book,
    times,
    choose: (thread, open) => shelf.choose(thread, open, session.state.get().view.messages.has(thread)),
    start() {
      const stops = [loader.start(), times.start()]
      return () => stops.forEach(stop => stop())
    },
  }
}

const nothing: SessionState['view']['messages'] = new Map()

/**
 * Messages are shown when their interactions are known, so that no day and no boundary comes between them later: a list can keep
 * what is in sight in its place only while others come before or after it.
 */
const isUnread = ({ view }: SessionState, { from }: InteractionBook): boolean =>
  from === undefined && view.messages.size > 0

/** The older messages to show: those that came last wait for their interactions. */
function holdOlder(): (state: SessionState, book: InteractionBook) => readonly Message[] {
  let shown: readonly Message[] = []
  return ({ older, next }, book) => {
    const isMore = older.length > shown.length && (shown.length === 0 || older.at(-shown.length) === shown[0])
    if (!isMore || covers(book, next)) shown = older
    return shown
  }
}

/** The same object while nothing changed. */
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
