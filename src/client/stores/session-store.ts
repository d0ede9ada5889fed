import { createWritable, type Readable } from '../readable.ts'
import { enter, leave, loadOlder, refresh, show, type Room, type RoomOptions } from './session-room.ts'
import { closed, type SessionState } from './session-state.ts'
import { createThrottle } from './throttle.ts'

/** The state of one session: open while somebody subscribes, and a little longer. */
export interface SessionStore {
  readonly state: Readable<SessionState>
  /** Loads a page of older messages; false when there are none. */
  readonly loadOlder: () => Promise<boolean>
  readonly close: () => void
}

/** Starts closed; `left` is told whenever nobody looks any more. */
export function createSessionStore(session: string, options: RoomOptions, left: () => void): SessionStore {
  const { timing } = options
  let linger: ReturnType<typeof setTimeout> | undefined
  let loading: Promise<boolean> | null = null
  const close = () => {
    clearTimeout(linger)
    leave(room)
    left()
  }
  const state = createWritable<SessionState>(closed, {
    came() {
      clearTimeout(linger)
      if (room.stop.signal.aborted) enter(room)
    },
    left() {
      linger = setTimeout(close, timing.lingerMs)
    },
  })
  const room: Room = {
    ...options,
    session,
    state,
    showing: createThrottle(timing.throttleMs, () => show(room)),
    refreshing: createThrottle(timing.refreshMs, () => void refresh(room)),
    stop: new AbortController(),
    model: null,
    following: null,
    lag: null,
    asked: 0,
    answered: 0,
  }
  room.stop.abort()
  return {
    state,
    close,
    loadOlder() {
      loading ??= loadOlder(room).finally(() => (loading = null))
      return loading
    },
  }
}
