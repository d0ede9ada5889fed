import { createWritable, type Readable } from '../readable.ts'
import { enter, leave, loadOlder, refresh, show, type Room, type RoomOptions } from './session-room.ts'
import { closed, type SessionState } from './session-state.ts'
import { createThrottle } from './throttle.ts'

/** The state of one session: open while there is a subscriber, and a little longer. */
export interface SessionStore {
  readonly state: Readable<SessionState>
  /** Loads a page of older messages, or so many of them; false when there are none. */
  readonly loadOlder: (count?: number) => Promise<boolean>
  readonly close: () => void
}

/** Starts closed. */
export function createSessionStore(session: string, options: RoomOptions): SessionStore {
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
