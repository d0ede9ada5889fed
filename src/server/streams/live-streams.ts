import type { ServerLimits } from '../limits.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** The kind of stream, for metrics. */
export type StreamKind = 'sse' | 'chat' | 'websocket' | 'sessions'

/** An open stream. Nothing here may throw. */
export interface LiveStream {
  readonly kind: StreamKind
  /** Sends a heartbeat, which may show that the client is gone. */
  beat(): void
  /** The client is behind and has read nothing for this many milliseconds. */
  stalled(stillMs: number): void
  waiting(): number
  /** The server stops, or every browser was signed out. */
  drain(): void
}

/** What live streams need from the server. */
export interface LiveStreamParts {
  readonly options: { readonly limits: ServerLimits }
  readonly metrics: Metrics
  readonly draining: AbortSignal
  readonly now: () => number
}

/** All open streams of a server, with one timer for heartbeats and slow clients. */
export interface LiveStreams extends Disposable {
  count(kind: StreamKind): number
  enter(stream: LiveStream): void
  leave(stream: LiveStream): void
  /** Marks the client as behind, until `resume`. */
  park(stream: LiveStream): void
  resume(stream: LiveStream): void
  /** Ends every stream with the position to continue from. Clients that are still allowed can reconnect at once. */
  endAll(): void
}

interface Parked {
  waiting: number
  since: number
}

/** Heartbeats are spread over this many ticks, so that thousands are not sent at once. */
const ticks = 15

/** Starts empty. All streams end when the server drains. */
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
