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
  /** Whether there are more than those that were loaded. */
  readonly hasMore: boolean
  readonly loading: boolean
  /** Why the list may be old, in a sentence. */
  readonly problem: string | null
}

/** Sessions, newest first, kept up to date while there is a subscriber. */
export interface SessionList extends Readable<SessionListState> {
  /** Asks for the next page. */
  readonly loadMore: () => void
}

/** Some sessions as the server lists them. */
export interface SessionPage {
  readonly sessions: readonly ListedSession[]
  readonly next: string | null
}

/** What a list needs. */
export interface SessionListOptions extends Surroundings {
  readonly connection: Connection
  /** Reads the given number of sessions, from the newest or from a cursor on. */
  readonly read: (limit: number, cursor: string | null) => Promise<SessionPage>
}

const nothing: SessionListState = { sessions: [], hasMore: false, loading: true, problem: null }
const pageSize = 50

/** Starts empty; it is loaded on the first subscription, and again whenever its order or length may change. */
export function createSessionList(options: SessionListOptions): SessionList {
  const faces = new Map<string, string>()
  let [stop, unwatch, wanted] = [new AbortController(), () => {}, pageSize]
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
      faces.clear()
      state.set(nothing)
    },
    lingerMs: options.timing.lingerMs,
  })
  const change = (next: Partial<SessionListState>) => state.set({ ...state.get(), ...next })
  const again = createThrottle(options.timing.refreshMs, async () => {
    const fail = ({ message: problem }: Error) => change({ problem })
    const page = await persist(options, stop.signal, () => readPages(options, wanted), fail).catch(fail)
    if (!page) return
    page.sessions.forEach(isAnother)
    const sessions = readAnew(state.get().sessions, page.sessions)
    change({ sessions, hasMore: page.next !== null, loading: false, problem: null })
  })
  // Whether something changed that decides what a list shows. A long one is not read again for what changes only a row of it.
  const isAnother = ({
    id,
    agent,
    title,
    status,
    archived,
    deleted,
    pinned,
    agentSession,
  }: ListedSession) => {
    const before = faces.get(id)
    const face = JSON.stringify([
      archived,
      deleted,
      pinned,
      wanted > 999 || [agent, title, status, agentSession],
    ])
    faces.set(id, face)
    return before !== face
  }
  const take = (session: ListedSession) => {
    if (isAnother(session)) again.ask()
    const { sessions } = state.get()
    const isNews = (each: ListedSession) => each.id === session.id && each.seq <= session.seq
    // An estimated cost is only in what was read.
    if (sessions.some(isNews))
      change({ sessions: sessions.map(each => (isNews(each) ? { ...each, ...session } : each)) })
  }
  return {
    get: state.get,
    subscribe: state.subscribe,
    loadMore() {
      // Twice as many each time, because all are read again.
      wanted = state.get().sessions.length * 2 + pageSize
      again.ask()
    },
  }
}

/** The server gives 500 at a time. */
async function readPages({ read }: SessionListOptions, wanted: number): Promise<SessionPage> {
  const sessions: ListedSession[] = []
  let next: string | null = null
  do {
    const page: SessionPage = await read(Math.min(500, wanted - sessions.length), next)
    sessions.push(...page.sessions)
    next = page.next
  } while (next !== null && sessions.length < wanted)
  return { sessions, next }
}
