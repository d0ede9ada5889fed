import type { Sink } from './streams/sink.ts'

/** A reply that goes on for a while. It is opened, and what is wrong with it told, before its first byte is sent. */
export interface Streamed {
  readonly headers: Readonly<Record<string, string>>
  /** Whether its end may be told by closing the connection: then nothing is wrapped in chunks, which is cheaper. */
  readonly endsByClosing: boolean
  /** Begins to write it. Ends by itself: when there is no more, the reader is gone, or the server ends. Never throws. */
  run(sink: Sink): void
}

/** Whether a reply goes on for a while. */
export const isStreamed = (reply: object | undefined): reply is Streamed =>
  reply !== undefined && 'run' in reply && typeof reply.run === 'function'
