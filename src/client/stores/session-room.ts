import { isDragomanError } from '../../protocol/error.ts'
import type { Caller } from '../call.ts'
import type { Connection } from '../follow/connection.ts'
import { followSession, type EntryReader, type Following } from '../follow/follow-session.ts'
import { persist } from '../persist.ts'
import type { Writable } from '../readable.ts'
import type { Surroundings } from '../surroundings.ts'
import { createSessionModel, type SessionModel } from './session-model.ts'
import { closed, type SessionState } from './session-state.ts'
import type { Throttle } from './throttle.ts'

/** What a session's state is kept with. */
export interface RoomOptions extends Surroundings {
  readonly caller: Caller
  readonly connection: Connection
  /** How many messages a snapshot and a page of older ones bring. */
  readonly pageSize: number
}

/** Holds one session while it has subscribers. */
export interface Room extends RoomOptions {
  readonly session: string
  readonly state: Writable<SessionState>
  /** Shows what came. */
  readonly showing: Throttle
  /** Loads what entries do not contain completely. */
  readonly refreshing: Throttle
  /** Aborted whenever there is no subscriber. */
  stop: AbortController
  model: SessionModel | null
  following: Following | null
  lag: number | null
}

/** Opens the session: snapshot, then tail. */
export function enter(room: Room): void {
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
export function leave(room: Room): void {
  room.stop.abort()
  room.following?.stop()
  room.showing.stop()
  room.refreshing.stop()
  room.following = null
  room.model = null
  room.lag = null
  room.state.set(closed)
}

/** Shows what came since the last time. */
export function show(room: Room): void {
  const { state, model, lag } = room
  if (model !== null) state.set({ ...state.get(), ...model.state(), lag })
}

/** Loads what entries do not contain completely. */
export async function refresh(room: Room): Promise<void> {
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
export async function loadOlder(room: Room, count = room.pageSize): Promise<boolean> {
  const { caller, session, model, stop } = room
  const { next } = model?.state() ?? closed
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

/** What is shown stays until it is there anew. */
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
        const untold = model.apply(entry)
        isStale = untold === 'everything'
        if (isStale) reload(room)
        asks ||= untold === 'something'
        // What is deleted knows no answers any more.
        if (entry.event.type === 'session-deleted') {
          asks = false
          room.refreshing.stop()
        }
      }
      if (asks) room.refreshing.ask()
      const last = entries.at(-1)
      if (last !== undefined && room.state.get().phase === 'live') room.lag = room.now() - last.at
      room.showing.ask()
    },
    caughtUp: () => void (isStale || setPhase(room, 'live')),
    reset() {
      // What is shown came from another journal; if it is being read anew, that is the right one.
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
  room.state.set({ ...now, ...room.model?.state(), phase, problem })
  if (phase === 'gone') awaitReturn(room)
}

/** What was deleted may be brought back, here or elsewhere. */
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
