import type { Sent } from '../../protocol/api/api.ts'
import type { Connection } from '../follow/connection.ts'
import type { ListedSession } from '../follow/source.ts'
import { persist } from '../persist.ts'
import { createWritable, type Readable } from '../readable.ts'
import type { Surroundings } from '../surroundings.ts'
import { readAnew } from './identity.ts'
import { createThrottle } from './throttle.ts'

/** Which sessions are listed. */
export type SessionFilter = Omit<NonNullable<Sent<'listSessions'>['query']>, 'cursor' | 'limit'>

/** A list of sessions at one moment. */
export interface SessionListState {
  readonly sessions: readonly ListedSession[]
  /** Where the next page begins; null when all are there. */
  readonly next: string | null
  readonly loading: boolean
  /** Why the list may be old, in a sentence. */
  readonly problem: string | null
}

/** Sessions, the newest first, kept up to date while somebody subscribes. */
export interface SessionList extends Readable<SessionListState> {
  readonly loadMore: () => Promise<void>
}

/** What a list needs. */
export interface SessionListOptions extends Surroundings {
  readonly connection: Connection
  /** Reads a page: the first, or the one at a cursor. */
  readonly read: (cursor: string | null, limit: number) => Promise<Page>
  readonly left: () => void
}

type Page = Pick<SessionListState, 'sessions' | 'next'>

const nothing: SessionListState = { sessions: [], next: null, loading: true, problem: null }
const pageSize = 50
const mostAtOnce = 500

/** Starts empty; it is read when somebody subscribes, and again whenever its order or extent may be another. */
export function createSessionList(options: SessionListOptions): SessionList {
  const faces = new Map<string, string>()
  let [stop, unwatch, isBusy, isOld] = [new AbortController(), () => {}, false, false]
  const state = createWritable(nothing, {
    came() {
      stop = new AbortController()
      unwatch = options.connection.watchSessions({ take, again: again.ask })
      again.ask()
    },
    left() {
      stop.abort()
      unwatch()
      again.stop()
      options.left()
    },
  })
  const change = (next: Partial<SessionListState>) => state.set({ ...state.get(), ...next })
  /** One page after another: what was asked for later must not be overtaken. */
  const load = async (cursor: string | null, limit: number) => {
    isOld = isBusy
    if (isBusy) return
    isBusy = true
    const tell = ({ message: problem }: Error) => change({ problem })
    await persist(options, stop.signal, () => options.read(cursor, limit), tell).then(page => {
      for (const each of page.sessions) faces.set(each.id, faceOf(each))
      const { sessions: known } = state.get()
      const newest = (each: ListedSession) =>
        known.find(({ id, seq }) => id === each.id && seq > each.seq) ?? each
      const sessions = readAnew(known, [...(cursor === null ? [] : known), ...page.sessions.map(newest)])
      change({ sessions, next: page.next, loading: false, problem: null })
    }, tell)
    isBusy = false
    if (isOld) again.ask()
  }
  const again = createThrottle(options.timing.refreshMs, () => {
    void load(null, Math.min(mostAtOnce, Math.max(pageSize, state.get().sessions.length)))
  })
  const take = (session: ListedSession) => {
    if (faces.get(session.id) !== faceOf(session)) again.ask()
    faces.set(session.id, faceOf(session))
    const { sessions } = state.get()
    const isNews = (each: ListedSession) => each.id === session.id && each.seq <= session.seq
    if (sessions.some(isNews)) change({ sessions: sessions.map(each => (isNews(each) ? session : each)) })
  }
  return {
    get: state.get,
    subscribe: state.subscribe,
    async loadMore() {
      const { next } = state.get()
      if (next !== null) await load(next, pageSize)
    },
  }
}

/** What decides whether a list shows a session. */
const faceOf = ({ agent, title, status, archived, deleted, agentSession }: ListedSession) =>
  JSON.stringify([agent, title, status, archived, deleted, agentSession])
