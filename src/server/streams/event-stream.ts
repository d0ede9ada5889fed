import type { ServerParts } from '../server-parts.ts'
import type { LiveStream, StreamKind } from './live-streams.ts'
import type { Attendant, Sink } from './sink.ts'

/** A writer of server-sent events. */
export interface Writer {
  readonly kind: StreamKind
  /** The client has caught up. */
  drained(): void
  /** It was closed, by either side. */
  gone(): void
  /** The server shuts down: the last frame to send, or null for none. */
  farewell(): string | null
}

/** A stream of server-sent events to one client. */
export interface EventStream {
  /** Sends frames. Returns false if the client is behind: then send nothing until `drained`. */
  send(frames: string): boolean
  /** Sends the last frames. */
  close(frames: string): void
  /** Breaks the connection. */
  cut(): void
}

/** The headers of every stream of events. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  // Tells proxies not to buffer this response.
  'x-accel-buffering': 'no',
} as const

/** A frame that is not an entry: it has an event name and no id. */
export const namedFrame = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const heartbeat = ':\n\n'

/** Opens a stream of server-sent events: it sends heartbeats, drops clients that do not read, and ends with the server. */
export function openEventStream(server: ServerParts, sink: Sink, writer: Writer): EventStream {
  const stream = new EventStreamToOne(server, sink, writer)
  server.streams.enter(stream)
  // Registered last: a client that is already gone triggers this at once.
  sink.attend(stream)
  if (server.draining.aborted) stream.drain()
  return stream
}

/** A class instead of closures, because there are thousands of them. */
class EventStreamToOne implements EventStream, LiveStream, Attendant {
  private readonly server: ServerParts
  private readonly sink: Sink
  private readonly writer: Writer
  private isQuiet = true
  private isParked = false

  constructor(server: ServerParts, sink: Sink, writer: Writer) {
    this.server = server
    this.sink = sink
    this.writer = writer
  }

  get kind(): StreamKind {
    return this.writer.kind
  }

  send(frames: string): boolean {
    this.isQuiet = false
    if (this.sink.write(frames)) return true
    if (!this.isParked) this.server.streams.park(this)
    this.isParked = true
    return false
  }

  close(frames: string): void {
    this.sink.write(frames)
    this.sink.end()
  }

  cut(): void {
    this.sink.cut()
  }

  beat(): void {
    if (this.isQuiet && !this.isParked) this.sink.write(heartbeat)
    this.isQuiet = true
  }

  stalled(stillMs: number): void {
    const { options, metrics } = this.server
    if (stillMs < options.limits.stallMs) return
    metrics.dropped.add({ kind: this.kind })
    this.sink.cut()
  }

  waiting(): number {
    return this.sink.waiting()
  }

  drain(): void {
    const last = this.writer.farewell()
    if (last !== null) this.close(last)
  }

  drained(): void {
    if (!this.isParked) return
    this.isParked = false
    this.server.streams.resume(this)
    this.writer.drained()
  }

  gone(): void {
    this.server.streams.leave(this)
    this.writer.gone()
  }
}
