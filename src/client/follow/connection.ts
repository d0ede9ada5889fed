import { createWritable, type Readable } from '../readable.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Timing } from '../timing.ts'
import { createReopened, idle, type ConnectionState, type Way } from './reopen.ts'
import type { Frame, ListedSession, Source } from './source.ts'

/** A frame of the server about one session. */
export type SessionFrame = Extract<Frame, { readonly session: string }>

/** A follower of a session. */
export interface Follower {
  /** After which entry to ask, in earnest or only to see whether something was lost. */
  after(recheck: boolean): number
  /** Takes a frame: it may advance the follower, show a gap, or contain nothing new. */
  take(frame: SessionFrame): 'progress' | 'hole' | 'nothing'
}

/** A listener for changes of all sessions. */
export interface Watcher {
  take(session: ListedSession): void
  /** Changes may have been missed: everything is to be looked at again. */
  again(): void
}

/** The connection that all followers share. It is open while there is a follower. */
export interface Connection {
  readonly state: Readable<ConnectionState>
  readonly follow: (session: string, follower: Follower) => () => void
  readonly watchSessions: (watcher: Watcher) => () => void
  /** The network may be another, gone or back. */
  readonly wake: () => void
  readonly close: () => void
}

/** What a connection needs. */
export interface ConnectionOptions extends Surroundings {
  readonly ways: readonly Way[]
}

interface Followed {
  readonly followers: Set<Follower>
  /** Whether it was asked for without an answer so far. */
  isAsked: boolean
  /** When it was asked for, or something of it came. */
  heard: number
}

interface Wanted {
  readonly sessions: Map<string, Followed>
  readonly watchers: Set<Watcher>
  readonly timing: Timing
  readonly now: () => number
}

/** Starts without followers, so without a connection. */
export function createConnection(options: ConnectionOptions): Connection {
  const { timing, now } = options
  const state = createWritable(idle)
  const wanted: Wanted = { sessions: new Map(), watchers: new Set(), timing, now }
  const { sessions, watchers } = wanted
  const reopened = createReopened({
    ...options,
    state,
    begun: source => askForAll(wanted, source),
    opened: () => watchers.forEach(watcher => watcher.again()),
    frame: (frame, source) => spread(wanted, frame, source),
    beat: source => look(wanted, source),
  })
  const release = () => void (sessions.size === 0 && watchers.size === 0 && reopened.close())
  return {
    state,
    follow(session, follower) {
      const followed = sessions.get(session) ?? { followers: new Set(), isAsked: false, heard: 0 }
      followed.followers.add(follower)
      sessions.set(session, followed)
      const source = reopened.source()
      if (source === null) reopened.open()
      else ask(wanted, source, session)
      return () => {
        if (!followed.followers.delete(follower) || followed.followers.size > 0) return
        sessions.delete(session)
        reopened.source()?.unfollow(session)
        release()
      }
    },
    watchSessions(watcher) {
      watchers.add(watcher)
      const source = reopened.source()
      if (source === null) reopened.open()
      else if (watchers.size === 1) source.watchSessions(true)
      if (state.get().state === 'open') watcher.again()
      return () => {
        if (!watchers.delete(watcher) || watchers.size > 0) return
        reopened.source()?.watchSessions(false)
        release()
      }
    },
    wake: reopened.wake,
    close: reopened.close,
  }
}

function askForAll(wanted: Wanted, source: Source): void {
  for (const session of wanted.sessions.keys()) ask(wanted, source, session)
  if (wanted.watchers.size > 0) source.watchSessions(true)
}

function ask({ sessions, now }: Wanted, source: Source, session: string, recheck = false): void {
  const followed = sessions.get(session)
  if (followed === undefined) return
  followed.isAsked = true
  followed.heard = now()
  source.follow(session, Math.min(...Array.from(followed.followers, each => each.after(recheck))))
}

/** Hands a frame to those it concerns; a session of which something is missing is asked for again. */
function spread(wanted: Wanted, frame: Frame, source: Source): void {
  const { sessions, watchers, now } = wanted
  if (frame.type === 'session') return watchers.forEach(watcher => watcher.take(frame.session))
  if (!('session' in frame)) return
  const followed = sessions.get(frame.session)
  if (followed === undefined) return
  followed.heard = now()
  const outcomes = Array.from(followed.followers, follower => follower.take(frame))
  const hole = outcomes.includes('hole')
  // What comes between the question and its answer belongs to an earlier question, and may well show a hole.
  if (hole && !followed.isAsked) ask(wanted, source, frame.session)
  if (!hole && outcomes.includes('progress')) followed.isAsked = false
}

/** A session of which nothing came for long is asked for again, in case its last words were lost on the way. */
function look(wanted: Wanted, source: Source): void {
  const { sessions, timing, now } = wanted
  for (const [session, { heard }] of sessions)
    if (now() - heard > timing.recheckMs) ask(wanted, source, session, true)
}
