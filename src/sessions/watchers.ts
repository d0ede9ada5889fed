import type { SessionSummary } from '../projections/summary.ts'
import type { SessionId } from '../protocol/ids.ts'

type Listener = (summary: SessionSummary) => void

/** Those who watch all sessions. */
export interface Watchers {
  add(listener: Listener): Disposable
  /** Tells them of a session, if something changed that a list shows. */
  tell(before: SessionSummary | null, after: SessionSummary): void
}

/** Tells at once, and then not again about the same session before some time has passed: then with the newest. */
export function createWatchers(watchMs: number): Watchers {
  const listeners = new Set<Listener>()
  /** The sessions that were told of lately, and what there is to tell since. */
  const resting = new Map<SessionId, SessionSummary | null>()

  const call = (summary: SessionSummary) => {
    const { session } = summary
    resting.set(session, null)
    setTimeout(wake, watchMs, session).unref()
    for (const listener of listeners) tellOne(listener, summary)
  }
  const tellOne = (listener: Listener, summary: SessionSummary) => {
    try {
      listener(summary)
    } catch {
      // Whoever cannot hear must not keep others from hearing, or a session from being saved.
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
      // Whoever watches twice hears twice.
      const own: Listener = summary => listener(summary)
      listeners.add(own)
      return { [Symbol.dispose]: () => void listeners.delete(own) }
    },
    tell(before, after) {
      if (listeners.size === 0 || (before !== null && !showsMore(before, after))) return
      if (resting.has(after.session)) resting.set(after.session, after)
      else call(after)
    },
  }
}

const shown = [
  'agent',
  'title',
  'status',
  'archived',
  'deleted',
  'agentSession',
  'handedOver',
  'awaitsPlace',
  'model',
  'cost',
  'tokens',
  'interactions',
  'running',
  'pending',
] as const satisfies readonly (keyof SessionSummary)[]

const showsMore = (before: SessionSummary, after: SessionSummary): boolean =>
  shown.some(name => before[name] !== after[name])
