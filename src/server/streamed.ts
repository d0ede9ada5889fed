import type { Sink } from './streams/sink.ts'

/** A reply that goes on for a while. It is opened, and errors are reported, before its first byte is sent. */
export interface Streamed {
  readonly headers: Readonly<Record<string, string>>
  /** Whether closing the connection may mark its end: then chunked encoding is not needed, which is cheaper. */
  readonly endsByClosing: boolean
  /** Starts to write it. Ends when there is no more, the reader is gone, or the server shuts down. Never throws. */
  run(sink: Sink): void
}

/** Whether a reply goes on for a while. */
export const isStreamed = (reply: object | undefined): reply is Streamed =>
  reply !== undefined && 'run' in reply && typeof reply.run === 'function'
