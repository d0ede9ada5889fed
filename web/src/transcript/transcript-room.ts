import type { Message } from 'dragoman'
import type { Client, Readable, Session, SessionState } from 'dragoman/client'
import { createInteractionLoader } from './interaction-loader.ts'
import { covers, type InteractionBook } from './interaction-facts.ts'
import type { Row } from './row.ts'
import { createRows, growthOf, type RunningNow } from './rows.ts'
import { createWritable, derive } from 'dragoman/client/readable'
import { noSteps, toggled, type StepChoices } from './step-rows.ts'
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
  readonly openSteps: (run: string, open: boolean) => void
  /** Starts to follow the session; the returned function stops it. */
  readonly start: () => () => void
}

/** Nothing is loaded until it is started or its rows are read. */
export function createTranscriptRoom(client: Client, session: Session): TranscriptRoom {
  const loader = createInteractionLoader(client, session)
  const shelf = createThreadShelf(client, session.id)
  const times = createThinkingTimes(client, session)
  const make = createRows()
  const running = runningOf()
  const olderOf = holdOlder()
  const opened = createWritable(noSteps.open)
  const steps = stepsOf()
  const rows = derive(
    [session.state, loader.book, shelf.choices, session.outbox, opened] as const,
    (state, book, threads, outbox, open) => {
      const shown = isUnread(state, book)
        ? { conversation: nothing, running: null }
        : { conversation: state.view.messages, running: running(state) }
      const older = olderOf(state, book)
      return make({ older, book, threads, steps: steps(state, open), outbox, ...shown })
    },
  )
  return {
    rows,
    isReading: derive([session.state, loader.book] as const, isUnread),
    book: loader.book,
    times,
    choose: (thread, open) => shelf.choose(thread, open, session.state.get().view.messages.has(thread)),
    openSteps: (run, isOpen) => opened.set(toggled(opened.get(), run, isOpen)),
    start() {
      let last: SessionState | null = null
      return session.state.subscribe(state => {
        const isGrowth = last !== null && onlyTextGrew(last, state)
        last = state
        if (isGrowth) return
        loader.look(state)
        times.look(state)
      })
    },
  }
}

const nothing: SessionState['view']['messages'] = new Map()

/**
 * Messages are shown once their interactions are known, so that no day or boundary is inserted between them
 * later: a list keeps its scroll position only while rows are added before or after the visible ones.
 */
const isUnread = ({ view }: SessionState, { from }: InteractionBook): boolean =>
  from === undefined && view.messages.size > 0

/** The older messages to show: newly loaded ones wait for their interactions. */
function holdOlder(): (state: SessionState, book: InteractionBook) => readonly Message[] {
  let shown: readonly Message[] = []
  return ({ older, next }, book) => {
    const isMore = older.length > shown.length && (shown.length === 0 || older.at(-shown.length) === shown[0])
    if (!isMore || covers(book, next)) shown = older
    return shown
  }
}

/** Streaming text changes neither the interactions nor when the agent started or stopped thinking. */
const onlyTextGrew = (before: SessionState, after: SessionState): boolean =>
  before.phase === after.phase &&
  before.next === after.next &&
  before.events === after.events &&
  growthOf(before.view.messages, after.view.messages) !== null

/** The same object while nothing changed. */
function stepsOf(): (state: SessionState, open: StepChoices['open']) => StepChoices {
  let last = noSteps
  return ({ view: { status } }, open) => {
    const watched = status.running?.interaction ?? last.watched
    if (watched !== last.watched || open !== last.open) last = { watched, open }
    return last
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
