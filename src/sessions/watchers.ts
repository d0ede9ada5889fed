import type { SessionSummary } from '../projections/summary.ts'
import type { SessionId } from '../protocol/ids.ts'

type Listener = (summary: SessionSummary) => void

/** The listeners that watch all sessions. */
export interface Watchers {
  add(listener: Listener): Disposable
  /** Calls the listeners with a session, if a listed field changed. */
  notify(before: SessionSummary | null, after: SessionSummary): void
}

/** Calls at once, and again for the same session only after `watchMs`, with its newest summary. */
export function createWatchers(watchMs: number): Watchers {
  const listeners = new Set<Listener>()
  /** The sessions that were reported lately, and the newest summary since then. */
  const resting = new Map<SessionId, SessionSummary | null>()

  const call = (summary: SessionSummary) => {
    const { session } = summary
    resting.set(session, null)
    setTimeout(wake, watchMs, session).unref()
    for (const listener of listeners) callOne(listener, summary)
  }
  const callOne = (listener: Listener, summary: SessionSummary) => {
    try {
      listener(summary)
    } catch {
      // A listener that throws must not affect other listeners, or the saving of a session.
      listeners.delete(listener)
    }
  }
  const wake = (session: SessionId) => {
    const news = resting.get(session) ?? null
    resting.delete(session)
    if (news !== null) call(news)
  }

  return {
    add(listener) {
      // A listener that is added twice is called twice.
      const own: Listener = summary => listener(summary)
      listeners.add(own)
      return { [Symbol.dispose]: () => void listeners.delete(own) }
    },
    notify(before, after) {
      if (listeners.size === 0 || (before !== null && !showsMore(before, after))) return
      if (resting.has(after.session)) resting.set(after.session, after)
      else call(after)
    },
  }
}

/** Which fields lists show. A change of any other field is not announced. */
const isShown: Readonly<Record<keyof SessionSummary, boolean>> = {
  session: false,
  agent: true,
  cwd: false,
  title: true,
  status: true,
  archived: true,
  deleted: true,
  pinned: true,
  branch: false,
  agentSession: true,
  resuming: false,
  estranged: false,
  titled: false,
  handedOver: true,
  awaitsPlace: true,
  model: true,
  gitBranch: true,
  cost: true,
  tokens: true,
  interactions: true,
  running: true,
  pending: true,
  ended: false,
  createdAt: false,
  updatedAt: false,
  seq: false,
  spending: false,
}
const shown = (Object.keys(isShown) as (keyof SessionSummary)[]).filter(name => isShown[name])

const showsMore = (before: SessionSummary, after: SessionSummary): boolean =>
  shown.some(name => before[name] !== after[name])
