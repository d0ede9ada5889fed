import type { ServerLimits } from '../limits.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** The kind of stream, for metrics. */
export type StreamKind = 'sse' | 'chat' | 'websocket' | 'sessions'

/** A stream that someone listens to at the moment. Nothing here may throw. */
export interface LiveStream {
  readonly kind: StreamKind
  /** Shows that we are there, and may find that the reader is not. */
  beat(): void
  /** The reader is behind and has read nothing for so many milliseconds. */
  stalled(stillMs: number): void
  waiting(): number
  /** The server ends, or every browser was signed out. */
  drain(): void
}

/** What live streams need of the server. */
export interface LiveStreamParts {
  readonly options: { readonly limits: ServerLimits }
  readonly metrics: Metrics
  readonly draining: AbortSignal
  readonly now: () => number
}

/** All streams of a server: one clock for their heartbeats and for those that do not read, and one place to end them. */
export interface LiveStreams extends Disposable {
  count(kind: StreamKind): number
  enter(stream: LiveStream): void
  leave(stream: LiveStream): void
  /** The reader is behind, until `resume`. */
  park(stream: LiveStream): void
  resume(stream: LiveStream): void
  /** Ends every stream, with where to go on. Whoever may still come in can come back at once. */
  endAll(): void
}

interface Parked {
  waiting: number
  since: number
}

/** The heartbeats of all streams are spread over so many ticks, so that thousands do not come at once. */
const ticks = 15

/** Starts empty; all streams are asked to end when the server drains. */
export function createLiveStreams({
  options: { limits },
  metrics,
  draining,
  now,
}: LiveStreamParts): LiveStreams {
  const streams = new Set<LiveStream>()
  const counts = new Map<StreamKind, number>()
  const parked = new Map<LiveStream, Parked>()
  let round = streams.values()
  let due = 0
  let timer: NodeJS.Timeout | undefined

  const nextInRound = (): LiveStream | undefined => {
    const { value } = round.next()
    if (value !== undefined) return value
    round = streams.values()
    return round.next().value
  }
  const count = (kind: StreamKind, more: number) => {
    counts.set(kind, (counts.get(kind) ?? 0) + more)
    metrics.clients.add(more, { kind })
  }
  const beat = () => {
    due = Math.min(due + streams.size / ticks, streams.size)
    for (; due >= 1; due--) nextInRound()?.beat()
  }
  const look = () => {
    let backlog = 0
    const at = now()
    for (const [stream, seen] of parked) {
      const waiting = stream.waiting()
      backlog += waiting
      if (waiting < seen.waiting) seen.since = at
      else stream.stalled(at - seen.since)
      seen.waiting = waiting
    }
    metrics.backlog.set(backlog)
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  const start = () => {
    timer ??= setInterval(() => {
      beat()
      look()
      if (streams.size === 0) stop()
    }, limits.heartbeatMs / ticks)
    timer.unref()
  }
  const endAll = () => {
    for (const stream of streams) stream.drain()
  }
  draining.addEventListener('abort', endAll, { once: true })

  return {
    count: kind => counts.get(kind) ?? 0,
    enter(stream) {
      streams.add(stream)
      count(stream.kind, 1)
      start()
    },
    leave(stream) {
      parked.delete(stream)
      if (streams.delete(stream)) count(stream.kind, -1)
    },
    park: stream => void parked.set(stream, { waiting: stream.waiting(), since: now() }),
    resume: stream => void parked.delete(stream),
    endAll,
    [Symbol.dispose]() {
      stop()
      draining.removeEventListener('abort', endAll)
    },
  }
}
