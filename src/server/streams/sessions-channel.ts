import type { SessionSummary } from '../../projections/summary.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { showSession } from '../routes/show-session.ts'

/** Every change of any session, serialized once for all listeners. */
export interface SessionsChannel {
  /** Calls with each session that changed, until the returned function is called. */
  listen(take: TakeSession): () => void
  /** The running sessions. */
  atWork(): Promise<readonly (readonly [SessionId, string])[]>
}

type TakeSession = (session: SessionId, json: string) => void

/** Starts without listeners. */
export function createSessionsChannel(sessions: Sessions): SessionsChannel {
  const listeners = new Set<TakeSession>()
  let watching: Disposable | null = null
  const jsonOf = (summary: SessionSummary) => JSON.stringify(showSession(summary, sessions))
  const publish = (summary: SessionSummary) => {
    const json = jsonOf(summary)
    for (const take of listeners) take(summary.session, json)
  }
  return {
    listen(take) {
      listeners.add(take)
      watching ??= sessions.watch(publish)
      return () => {
        listeners.delete(take)
        if (listeners.size > 0) return
        watching?.[Symbol.dispose]()
        watching = null
      }
    },
    async atWork() {
      const pages = await Promise.all(
        (['waiting', 'running'] as const).map(status => sessions.list({ status, limit: mostAtWork })),
      )
      return pages.flatMap(page => page.sessions.map(each => [each.session, jsonOf(each)] as const))
    },
  }
}

const mostAtWork = 500

/** A listener for all sessions, which may be slow. */
export interface SessionsListener extends Disposable {
  /** Starts; calls `failed` if the running sessions cannot be listed. */
  start(failed: (error: unknown) => void): void
  /** The client has caught up. */
  drained(): void
}

/** Sends the running sessions, then every change. While the client is behind, only the last state of each session is kept. */
export function listenToSessions(
  { streams }: { readonly streams: { readonly sessions: SessionsChannel } },
  send: (json: string) => boolean,
): SessionsListener {
  const missed = new Map<SessionId, string>()
  // Sessions that changed while the list was read. The list is older.
  const changed = new Set<SessionId>()
  let isListing = true
  let isBehind = false
  let isOver = false
  let stop: (() => void) | null = null
  const sendSession: TakeSession = (session, json) => {
    if (isBehind) missed.set(session, json)
    else isBehind = !send(json)
  }
  const take: TakeSession = (session, json) => {
    if (isListing) changed.add(session)
    sendSession(session, json)
  }
  const list = (found: Awaited<ReturnType<SessionsChannel['atWork']>>) => {
    isListing = false
    if (stop === null) return
    for (const [session, json] of found) if (!changed.has(session)) sendSession(session, json)
    changed.clear()
  }
  return {
    start(failed) {
      if (isOver) return
      // Subscribes before the list is read, so that no change is missed.
      stop = streams.sessions.listen(take)
      streams.sessions.atWork().then(list, (error: unknown) => {
        if (stop !== null) failed(error)
      })
    },
    drained() {
      isBehind = false
      for (const [session, json] of missed) {
        missed.delete(session)
        isBehind = !send(json)
        if (isBehind) return
      }
    },
    [Symbol.dispose]() {
      isOver = true
      stop?.()
      stop = null
      missed.clear()
    },
  }
}
