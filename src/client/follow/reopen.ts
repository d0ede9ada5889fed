import type { Writable } from '../readable.ts'
import { retryDelay } from '../retry-delay.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Frame, OpenSource, Source } from './source.ts'

/** The state of the connection to the server. */
export interface ConnectionState {
  /** `idle`: nothing is followed, so there is none. `waiting`: until the next attempt. */
  readonly state: 'idle' | 'connecting' | 'open' | 'waiting'
  readonly transport: 'websocket' | 'sse' | null
  /** How often it had to be opened again. */
  readonly reconnects: number
  /** Why it is not open, in a sentence. */
  readonly problem: string | null
}

/** Nothing wanted, nothing open. */
export const idle: ConnectionState = { state: 'idle', transport: null, reconnects: 0, problem: null }

/** A transport, and how it is opened. */
export interface Way {
  readonly transport: 'websocket' | 'sse'
  readonly open: OpenSource
}

/** What reopening needs. */
export interface ReopenOptions extends Surroundings {
  /** In the order in which they are tried: the next one when one cannot be opened at all. */
  readonly ways: readonly Way[]
  readonly state: Writable<ConnectionState>
  /** Called with each new source before it is open, to request everything from it. */
  readonly begun: (source: Source) => void
  readonly opened: () => void
  readonly frame: (frame: Frame, source: Source) => void
  /** Called every now and then while a source is open. */
  readonly beat: (source: Source) => void
}

/** A source that is opened again and again, as long as it is wanted. */
export interface Reopened {
  /** The source now; null between two attempts. */
  readonly source: () => Source | null
  readonly open: () => void
  readonly close: () => void
  /** The network may have changed: a connection that seems open may be lost, so it is opened again at once. */
  readonly wake: () => void
}

/** One source from its opening to its end. */
interface Attempt {
  readonly source: Source
  /** Ends it; calls `closed` unless it ended before. */
  readonly end: (reason: unknown) => void
}

/** Keeps a source open from `open` to `close`. */
export function createReopened(options: ReopenOptions): Reopened {
  const { state, ways, pauses } = options
  let attempt: Attempt | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = false
  let [opens, failures] = [0, 0]
  const set = (change: Partial<ConnectionState>) => state.set({ ...state.get(), ...change })
  const closed = (reason: unknown, next: number) => {
    attempt = null
    if (!wanted) return
    const problem = (reason as Error | null)?.message ?? null
    set({ state: 'waiting', transport: null, problem })
    timer = setTimeout(() => start(next), next > 0 ? 0 : retryDelay(options, failures++))
  }
  const start = (index: number) => {
    const { transport, open } = ways[index] as Way
    set({ state: 'connecting', transport })
    try {
      attempt = begin(options, open, {
        opened() {
          set({ state: 'open', problem: null, reconnects: opens++ })
          options.opened()
          // The server is there: nothing needs to wait for its next attempt any longer.
          pauses.wake()
        },
        succeeded: () => (failures = 0),
        closed: (reason, wasOpen) => closed(reason, !wasOpen && index + 1 < ways.length ? index + 1 : 0),
      })
      options.begun(attempt.source)
    } catch (cause) {
      // A transport that cannot even be tried: some pages may not open sockets.
      closed(cause, 1)
    }
  }
  return {
    source: () => attempt?.source ?? null,
    open() {
      if (wanted) return
      wanted = true
      start(0)
    },
    close() {
      wanted = false
      clearTimeout(timer)
      attempt?.end(null)
      set({ state: 'idle', transport: null, problem: null })
    },
    wake() {
      pauses.wake()
      if (!wanted) return
      attempt?.end(null)
      clearTimeout(timer)
      failures = 0
      start(0)
    },
  }
}

/** What happens to an attempt. `closed` comes once, and nothing after it. */
interface AttemptEvents {
  opened(): void
  /** The server sent something. */
  succeeded(): void
  closed(reason: unknown, wasOpen: boolean): void
}

/** Opens a source, which must open in time and must not fall silent. */
function begin(
  { timing, now, frame, beat }: ReopenOptions,
  open: OpenSource,
  events: AttemptEvents,
): Attempt {
  let [isOpen, isOver, pings, lastSeen] = [false, false, 0, now()]
  const alive = () => {
    lastSeen = now()
    pings = 0
  }
  const end = (reason: unknown) => {
    if (isOver) return
    isOver = true
    clearInterval(beats)
    source.close()
    events.closed(reason, isOpen)
  }
  const source = open({
    opened() {
      if (isOver || isOpen) return
      isOpen = true
      alive()
      events.opened()
    },
    frame(each) {
      if (isOver) return
      alive()
      events.succeeded()
      frame(each, source)
    },
    alive,
    closed: end,
  })
  const beats = setInterval(() => {
    const silence = now() - lastSeen
    // Counts pings, not only time: a sleeping tab sends none, and nothing is wrong then.
    const isLost = isOpen ? pings > mostPings : silence > timing.openMs
    if (isLost) return end(new Error('The server does not answer.'))
    if (!isOpen) return
    if (silence >= timing.pingMs) {
      pings += 1
      source.ping()
    }
    beat(source)
  }, timing.beatMs)
  return { source, end }
}

/** With a check every five seconds, a connection counts as lost after 40 to 45 seconds of silence. */
const mostPings = 4
