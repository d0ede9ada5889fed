import type { House } from '../house.ts'
import type { LiveStream, StreamKind } from './live-streams.ts'
import type { Attendant, Sink } from './sink.ts'

/** A writer of server-sent events. */
export interface Writer {
  readonly kind: StreamKind
  /** The reader has read what waited. */
  drained(): void
  /** It has ended, on either side. */
  gone(): void
  /** The server shuts down: the last frame to send, or null for none. */
  farewell(): string | null
}

/** Server-sent events on their way to a reader. */
export interface EventStream {
  /** Sends frames. False when the reader is behind: then nothing more until `drained`. */
  send(frames: string): boolean
  /** Sends the last frames. */
  close(frames: string): void
  /** Breaks off. */
  cut(): void
}

/** The headers of every stream of events. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  // Proxies that gather a response before they pass it on do not do so with this one.
  'x-accel-buffering': 'no',
} as const

/** A frame that is not an entry: it has a name, and no id. */
export const namedFrame = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const heartbeat = ':\n\n'

/** Opens a stream of server-sent events: it sends heartbeats, drops clients that do not read, and ends with the server. */
export function openEventStream(house: House, sink: Sink, writer: Writer): EventStream {
  const stream = new EventStreamToOne(house, sink, writer)
  house.streams.enter(stream)
  // Registered last: a client that is already gone triggers this at once.
  sink.attend(stream)
  if (house.draining.aborted) stream.drain()
  return stream
}

/** An object rather than functions, for there are thousands of them. */
class EventStreamToOne implements EventStream, LiveStream, Attendant {
  private readonly house: House
  private readonly sink: Sink
  private readonly writer: Writer
  private isQuiet = true
  private isParked = false

  constructor(house: House, sink: Sink, writer: Writer) {
    this.house = house
    this.sink = sink
    this.writer = writer
  }

  get kind(): StreamKind {
    return this.writer.kind
  }

  send(frames: string): boolean {
    this.isQuiet = false
    if (this.sink.write(frames)) return true
    if (!this.isParked) this.house.streams.park(this)
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
    const { options, metrics } = this.house
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
    this.house.streams.resume(this)
    this.writer.drained()
  }

  gone(): void {
    this.house.streams.leave(this)
    this.writer.gone()
  }
}
