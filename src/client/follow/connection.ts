import type { Entry } from '../../protocol/entry.ts'
import { createWritable, type Readable } from '../readable.ts'
import type { Surroundings } from '../surroundings.ts'
import { createReopened, idle, type ConnectionState, type Way } from './reopen.ts'
import type { Frame, ListedSession, Source } from './source.ts'

/** A frame of the server about one session. */
export type SessionFrame = Extract<Frame, { readonly session: string }>

/** A follower of a session. */
export interface Follower {
  /** The entry to request after; `recheck` only checks whether something was lost. */
  after(recheck: boolean): number
  /** Takes a frame: it may advance the follower, show a gap, or contain nothing new. */
  take(frame: SessionFrame): 'progress' | 'hole' | 'nothing'
}

/** A listener for changes of all sessions. */
export interface Watcher {
  take(session: ListedSession): void
  /** Changes may have been missed: everything must be checked again. */
  again(): void
}

/** The connection that all followers share. It is open while there is a follower. */
export interface Connection {
  readonly state: Readable<ConnectionState>
  readonly follow: (session: string, follower: Follower) => () => void
  readonly watchSessions: (watcher: Watcher) => () => void
  /** The network may have changed. */
  readonly wake: () => void
  readonly close: () => void
}

/** What a connection needs. */
export interface ConnectionOptions extends Surroundings {
  readonly ways: readonly Way[]
}

interface Followed {
  readonly followers: Set<Follower>
  /** Whether a request waits for its reply. */
  isAsked: boolean
  /** When it was requested, or a frame of it arrived. */
  lastSeen: number
}

interface Wanted extends ConnectionOptions {
  readonly sessions: Map<string, Followed>
  readonly watchers: Set<Watcher>
}

/** Starts without followers, so without a connection. */
export function createConnection(options: ConnectionOptions): Connection {
  const state = createWritable(idle)
  const wanted: Wanted = { ...options, sessions: new Map(), watchers: new Set() }
  const { sessions, watchers } = wanted
  const reopened = createReopened({
    ...options,
    state,
    begun: source => askForAll(wanted, source),
    opened: () => watchers.forEach(watcher => watcher.again()),
    frame: (frame, source) => deliver(wanted, frame, source),
    beat: source => recheckAll(wanted, source),
  })
  const release = () => void (sessions.size === 0 && watchers.size === 0 && reopened.close())
  return {
    state,
    follow(session, follower) {
      const followed = sessions.get(session) ?? { followers: new Set(), isAsked: false, lastSeen: 0 }
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
  followed.lastSeen = now()
  source.follow(session, Math.min(...Array.from(followed.followers, each => each.after(recheck))))
}

/** Delivers a frame to its followers; a session with a gap is requested again. */
function deliver(wanted: Wanted, frame: Frame, source: Source): void {
  const { sessions, watchers, now } = wanted
  if (frame.type === 'session') return watchers.forEach(watcher => watcher.take(frame.session))
  if (!('session' in frame)) return
  const followed = sessions.get(frame.session)
  if (followed === undefined) return
  followed.lastSeen = now()
  const outcomes = Array.from(followed.followers, follower => follower.take(frame))
  const hole = outcomes.includes('hole')
  // Frames between a request and its reply belong to an earlier request, and may show the same gap.
  if (hole && !followed.isAsked) ask(wanted, source, frame.session)
  if (!hole && outcomes.includes('progress')) followed.isAsked = false
}

/** Requests a session again after a long silence, in case its last entries were lost. */
function recheckAll(wanted: Wanted, source: Source): void {
  const { sessions, timing, now } = wanted
  for (const [session, { lastSeen }] of sessions)
    if (now() - lastSeen > timing.recheckMs) ask(wanted, source, session, true)
}

/** Receives each entry once and in order, despite lost connections. */
export interface EntryReader {
  /** The next entries, without a hole. */
  entries(entries: readonly Entry[]): void
  /** The reader has all there is, or gets it as it comes. */
  caughtUp?(): void
  /** The journal is another one than before: everything must be loaded again. */
  reset(head: number): void
  /** The session was deleted; nothing more comes. */
  gone(reason: string): void
}

/** A session being followed. */
export interface Following {
  /** The last entry that was handed on. */
  seq(): number
  stop(): void
}

interface Place {
  seq: number
  /** The id of that entry, once received. A journal with another entry at this number is a different journal. */
  id: string | null
  /** The number in the last request to the server. */
  asked: number
  over: boolean
}

/** Follows a session from a number on: repeated entries are dropped, and missing ones are requested again. */
export function followSession(
  connection: Connection,
  session: string,
  after: number,
  reader: EntryReader,
): Following {
  const place: Place = { seq: after, id: null, asked: after, over: false }
  const stop = () => {
    place.over = true
    leave()
  }
  const leave = connection.follow(session, {
    after(recheck) {
      place.asked = place.seq
      // One entry more than needed shows whether it is still the same journal.
      return recheck ? place.seq : Math.max(0, place.seq - 1)
    },
    take: frame => (place.over ? 'nothing' : take(place, reader, frame, stop)),
  })
  return { seq: () => place.seq, stop }
}

type Outcome = 'progress' | 'hole' | 'nothing'

function take(place: Place, reader: EntryReader, frame: SessionFrame, stop: () => void): Outcome {
  const head = otherHead(place, frame)
  if (head !== null) {
    stop()
    reader.reset(head)
  } else if (frame.type === 'gone') {
    stop()
    reader.gone(frame.reason)
  } else if (frame.type === 'caught-up') {
    if (frame.seq > place.seq) return 'hole'
    reader.caughtUp?.()
  } else if (frame.type === 'following') {
    reader.caughtUp?.()
  } else if (frame.type === 'entries') {
    return takeEntries(place, reader, frame.entries)
  }
  return 'progress'
}

/** The last entry of the journal, when a frame shows that it is not the journal that was read so far. */
function otherHead(place: Place, frame: SessionFrame): number | null {
  if (frame.type === 'reset') return frame.head
  if (frame.type === 'caught-up') return frame.seq < place.asked ? frame.seq : null
  if (frame.type !== 'entries' || place.id === null) return null
  return frame.entries.some(({ seq, id }) => seq === place.seq && id !== place.id) ? place.seq : null
}

function takeEntries(place: Place, reader: EntryReader, entries: readonly Entry[]): Outcome {
  const fresh: Entry[] = []
  let hole = false
  for (const entry of entries) {
    if (entry.seq === place.seq) place.id = entry.id
    if (entry.seq <= place.seq) continue
    hole = entry.seq > place.seq + 1
    if (hole) break
    place.seq = entry.seq
    place.id = entry.id
    fresh.push(entry)
  }
  if (fresh.length > 0) reader.entries(fresh)
  if (hole) return 'hole'
  return fresh.length > 0 ? 'progress' : 'nothing'
}
