import { createBackoff } from '../backoff.ts'
import type { Writable } from '../readable.ts'
import type { Surroundings } from '../surroundings.ts'
import { beginAttempt, type Attempt } from './attempt.ts'
import type { Frame, OpenSource, Source } from './source.ts'

/** How the way to the server is. */
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

/** A way to the server, and how it is opened. */
export interface Way {
  readonly transport: 'websocket' | 'sse'
  readonly open: OpenSource
}

/** What reopening needs. */
export interface ReopenOptions extends Surroundings {
  /** In the order in which they are tried: the next one when one cannot be opened at all. */
  readonly ways: readonly Way[]
  readonly state: Writable<ConnectionState>
  /** Told of each new source before it is open: what is wanted is asked of it then. */
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
  /** The network may be another, gone or back: what seems open may be cut, so it is opened anew at once. */
  readonly wake: () => void
}

/** Keeps a source open from `open` to `close`. */
export function createReopened(options: ReopenOptions): Reopened {
  const { state } = options
  const backoff = createBackoff(options)
  let attempt: Attempt | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = false
  let opens = 0

  const closed = (reason: unknown, next: number) => {
    attempt = null
    if (!wanted) return
    const problem = (reason as Error | null)?.message ?? null
    state.set({ ...state.get(), state: 'waiting', transport: null, problem })
    timer = setTimeout(() => start(next), next > 0 ? 0 : backoff.next())
  }
  const start = (way: number) => {
    try {
      attempt = begin(options, way, { opened: () => opens++, succeeded: backoff.reset }, closed)
      options.begun(attempt.source)
    } catch (cause) {
      // A way that cannot even be tried, as where pages may not open sockets.
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
      state.set({ ...state.get(), state: 'idle', transport: null, problem: null })
    },
    wake() {
      options.pauses.wake()
      if (!wanted) return
      attempt?.end(null)
      clearTimeout(timer)
      backoff.reset()
      start(0)
    },
  }
}

/** Tries one transport; passes the next one to try to `closed`. */
function begin(
  { ways, timing, now, state, ...options }: ReopenOptions,
  index: number,
  count: { /** How often one was open before. */ opened(): number; succeeded(): void },
  closed: (reason: unknown, next: number) => void,
): Attempt {
  const way = ways[index] as Way
  state.set({ ...state.get(), state: 'connecting', transport: way.transport })
  let wasOpen = false
  const attempt = beginAttempt(way.open, timing, now, {
    opened() {
      wasOpen = true
      state.set({ state: 'open', transport: way.transport, problem: null, reconnects: count.opened() })
      options.opened()
      // The server is there: what waits to be asked or sent need not wait any longer.
      options.pauses.wake()
    },
    frame(frame) {
      count.succeeded()
      options.frame(frame, attempt.source)
    },
    beat: () => options.beat(attempt.source),
    closed: reason => closed(reason, !wasOpen && index + 1 < ways.length ? index + 1 : 0),
  })
  return attempt
}
