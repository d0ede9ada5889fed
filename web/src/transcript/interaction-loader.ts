import type { Client, Readable, Session, SessionState } from 'dragoman/client'
import {
  changesWhatCounts,
  emptyBook,
  learnEntries,
  learnHandover,
  learnPage,
  reaching,
  type InteractionBook,
} from './interaction-facts.ts'
import { createWritable } from 'dragoman/client/readable'

/** Loads the interactions of the shown messages, and follows new ones. */
export interface InteractionLoader {
  readonly book: Readable<InteractionBook>
  /** Takes in a new state of the session, and loads missing interactions. */
  readonly look: (state: SessionState) => void
}

/** Few at first, so that a session opens quickly; then larger pages. */
const [firstPage, page] = [100, 500]

interface Loading {
  seen: number
  /** The start of the previous page; undefined before the first. */
  next: number | null | undefined
  /** The beginning of the messages for which enough is known. */
  asked: number | null | undefined
  /** How often loading was restarted; results of earlier loads no longer apply. */
  round: number
  isBusy: boolean
  isBroken: boolean
}

/** Loads as many interactions as the shown messages need. */
export function createInteractionLoader(client: Client, session: Session): InteractionLoader {
  const book = createWritable(emptyBook)
  const loading: Loading = {
    seen: 0,
    next: undefined,
    asked: undefined,
    round: 0,
    isBusy: false,
    isBroken: false,
  }

  const load = async () => {
    loading.isBusy = true
    const { next, round } = loading
    const query =
      next === undefined ? { limit: String(firstPage) } : { limit: String(page), before: String(next) }
    try {
      const found = await client.call('GET /api/sessions/:session/interactions', {
        params: { session: session.id },
        query,
      })
      if (round === loading.round) loading.next = found.next
      book.set(reaching(withHandover(learnPage(book.get(), found.interactions), session), found.next))
    } catch {
      // Days and endings are missing then; they are loaded when the connection is back.
      loading.isBroken = true
      book.set(reaching(book.get(), null))
    }
    loading.isBusy = false
    look(session.state.get())
  }
  const look = (state: SessionState) => {
    const isOther = learn(book, loading, state)
    if (state.phase === 'catching-up') loading.isBroken = false
    // A new snapshot does not include what happened before it.
    if (isOther || state.phase === 'loading')
      Object.assign(loading, { next: undefined, asked: undefined, round: loading.round + 1 })
    const isKnown = state.phase === 'live' || state.phase === 'catching-up'
    if (!isKnown || loading.isBusy || loading.isBroken || loading.asked === state.next) return
    if (needsMore(loading, book.get(), state.next)) void load()
    else loading.asked = state.next
  }
  return { book, look }
}

const withHandover = (book: InteractionBook, session: Session) =>
  learnHandover(book, session.facts.get()?.handedOver ?? null)

/** How many interactions are loaded ahead of the shown messages, so that nothing moves when those appear. */
const ahead = 50

/** Whether messages that are shown, or may be soon, started before the oldest known interaction. */
function needsMore({ next }: Loading, { facts }: InteractionBook, oldest: number | null): boolean {
  if (next === undefined || next === null) return next === undefined
  if (oldest === null || next > oldest) return true
  let known = 0
  for (const { startSeq } of facts.values()) if (startSeq < oldest) known += 1
  return known < ahead
}

/** Takes in new events; returns whether everything must be loaded again. */
function learn(
  book: ReturnType<typeof createWritable<InteractionBook>>,
  loading: Loading,
  { events }: SessionState,
): boolean {
  const last = events.at(-1)?.seq ?? 0
  if (last <= loading.seen) return false
  const news = events.filter(({ seq }) => seq > loading.seen)
  loading.seen = last
  book.set(learnEntries(book.get(), news))
  return news.some(changesWhatCounts)
}
