import { isDragomanError } from '../../protocol/error.ts'
import type { Caller } from '../call.ts'
import { followSession, type Connection, type EntryReader, type Following } from '../follow/connection.ts'
import { persist } from '../persist.ts'
import { createWritable, type Readable, type Writable } from '../readable.ts'
import type { Surroundings } from '../surroundings.ts'
import { createSessionModel, type SessionModel } from './session-model.ts'
import { closed, type SessionState } from './session-state.ts'
import { createThrottle, type Throttle } from './throttle.ts'

/** What a session's state is kept with. */
export interface SessionStoreOptions extends Surroundings {
  readonly caller: Caller
  readonly connection: Connection
  /** How many messages a snapshot and a page of older ones bring. */
  readonly pageSize: number
}

/** The state of one session: open while there is a subscriber, and a little longer. */
export interface SessionStore {
  readonly state: Readable<SessionState>
  /** Loads a page of older messages, or the given number of them; false when there are none. */
  readonly loadOlder: (count?: number) => Promise<boolean>
  readonly close: () => void
}

/** Holds one session while it has subscribers. */
interface Room extends SessionStoreOptions {
  readonly session: string
  readonly state: Writable<SessionState>
  /** Updates the state. */
  readonly showing: Throttle
  /** Loads what entries do not contain completely. */
  readonly refreshing: Throttle
  /** Aborted whenever there is no subscriber. */
  stop: AbortController
  model: SessionModel | null
  following: Following | null
  lag: number | null
}

/** Starts closed. */
export function createSessionStore(session: string, options: SessionStoreOptions): SessionStore {
  const { timing } = options
  let loading: Promise<boolean> | null = null
  const close = () => leave(room)
  const state = createWritable<SessionState>(closed, {
    came: () => enter(room),
    left: close,
    lingerMs: timing.lingerMs,
  })
  const room: Room = {
    ...options,
    session,
    state,
    showing: createThrottle(timing.throttleMs, () => show(room)),
    refreshing: createThrottle(timing.refreshMs, () => refresh(room)),
    stop: new AbortController(),
    model: null,
    following: null,
    lag: null,
  }
  return {
    state,
    close,
    loadOlder(count) {
      loading ??= loadOlder(room, count).finally(() => (loading = null))
      return loading
    },
  }
}

/** Opens the session: snapshot, then tail. */
function enter(room: Room): void {
  room.stop = new AbortController()
  room.state.set({ ...closed, phase: 'loading' })
  void load(room, room.pageSize)
  let wasOpen = true
  const unsubscribe = room.connection.state.subscribe(({ state, reconnects }) => {
    const isOpen = state === 'open'
    if (!isOpen && room.state.get().phase === 'live') setPhase(room, 'catching-up')
    if (isOpen && !wasOpen && reconnects > 0 && room.state.get().phase !== 'gone') room.refreshing.ask()
    wasOpen = isOpen
  })
  room.stop.signal.addEventListener('abort', unsubscribe)
}

/** Forgets everything. */
function leave(room: Room): void {
  room.stop.abort()
  room.following?.stop()
  room.showing.stop()
  room.refreshing.stop()
  Object.assign(room, { following: null, model: null, lag: null })
  room.state.set(closed)
}

/** Updates the state with the entries that arrived. */
function show(room: Room, change: Partial<SessionState> = { lag: room.lag }): void {
  room.state.set({ ...room.state.get(), ...room.model?.state(), ...change })
}

/** Loads what entries do not contain completely. */
async function refresh(room: Room): Promise<void> {
  const { caller, session, model, stop } = room
  const ask = () =>
    Promise.all([
      caller.call('getSession', { params: { session } }, stop),
      caller.call('listApprovals', { params: { session } }, stop),
    ])
  // A deleted session reports that separately.
  const answer = await persist(room, stop.signal, ask).catch(() => null)
  if (answer !== null) model?.refresh(...answer)
  room.showing.ask()
}

/** Loads the page before the messages that are there; false when there is none. */
async function loadOlder(room: Room, count = room.pageSize): Promise<boolean> {
  const { caller, session, state, model, stop } = room
  const { next } = state.get()
  if (model === null || next === null) return false
  const query = { before: String(next), limit: String(count) }
  const page = await caller.call('listMessages', { params: { session }, query }, stop)
  model.addOlder(page)
  show(room)
  return page.messages.length > 0
}

/** Snapshot, then tail. */
async function load(room: Room, limit: number): Promise<void> {
  const { caller, session, connection, model, stop } = room
  const { signal } = stop
  const query = { limit: String(Math.min(1000, limit)) }
  try {
    const snapshot = await persist(
      room,
      signal,
      () => caller.call('getSnapshot', { params: { session }, query }, stop),
      ({ message }) => setPhase(room, 'loading', message),
    )
    if (signal.aborted) return
    const before = room.following
    room.model = createSessionModel(snapshot, model?.state())
    room.following = followSession(connection, session, snapshot.asOf, readInto(room, room.model))
    // Only now, so that the connection stays open.
    before?.stop()
    setPhase(room, 'catching-up')
  } catch (error) {
    const isGone = isDragomanError(error, 'unknown-session')
    if (!signal.aborted) setPhase(room, isGone ? 'gone' : 'failed', (error as Error).message)
  }
}

/** Loads a new snapshot; the state stays until it is there. */
function reload(room: Room): void {
  setPhase(room, 'loading')
  const { older, view } = room.state.get()
  // Somewhat more than is shown, because some may have come since.
  void load(room, room.pageSize + older.length + (view.messages.get(null)?.length ?? 0))
}

function readInto(room: Room, model: SessionModel): EntryReader {
  let isStale = false
  return {
    entries(entries) {
      let asks = false
      for (const entry of entries) {
        if (isStale) return
        const missing = model.apply(entry)
        isStale = missing === 'everything'
        if (isStale) reload(room)
        asks ||= missing === 'something'
        if (room.state.get().phase === 'live') room.lag = room.now() - entry.at
        // The server answers no more calls about a deleted session.
        if (entry.event.type === 'session-deleted') {
          asks = false
          room.refreshing.stop()
        }
      }
      if (asks) room.refreshing.ask()
      room.showing.ask()
    },
    caughtUp: () => void (isStale || setPhase(room, 'live')),
    reset() {
      // The state came from another journal; a snapshot that is being loaded comes from the right one.
      if (isStale) return
      room.model = null
      reload(room)
    },
    gone: reason => setPhase(room, 'gone', reason),
  }
}

function setPhase(room: Room, phase: SessionState['phase'], problem: string | null = null): void {
  const now = room.state.get()
  if (phase === now.phase && problem === now.problem) return
  show(room, { phase, problem })
  if (phase === 'gone') awaitReturn(room)
}

/** A deleted session may be restored, here or elsewhere. */
function awaitReturn(room: Room): void {
  const unwatch = room.connection.watchSessions({
    take({ id, deleted }) {
      if (id !== room.session || deleted) return
      unwatch()
      reload(room)
    },
    again() {},
  })
  room.stop.signal.addEventListener('abort', unwatch)
}
