/** The target of a stream: the connection to one reader, which may be slow or closed. */
export interface Sink {
  /** Sends a text. Returns false if the client should read before it gets more. */
  write(text: string): boolean
  /** Ends after everything was sent. */
  end(): void
  /** Breaks the connection, so that the client sees that something is missing. */
  cut(): void
  /** About how many bytes are unread. */
  waiting(): number
  /** Sets the listener for events of the reader. One at a time. */
  attend(attendant: Attendant): void
}

/** Is called when the client has caught up, and when it is gone. */
export interface Attendant {
  drained(): void
  /** Called once, whichever side closes. */
  gone(): void
}

/** A streamed reply. Errors on opening are reported before the first byte is sent. */
export interface Streamed {
  readonly headers: Readonly<Record<string, string>>
  /** Whether closing the connection may mark its end: then chunked encoding is not needed, which is cheaper. */
  readonly endsByClosing: boolean
  /** Starts to write. Ends when the stream is complete, the client is gone or the server stops. Never throws. */
  run(sink: Sink): void
}

/** Whether a reply is a stream. */
export const isStreamed = (reply: object | undefined): reply is Streamed =>
  reply !== undefined && 'run' in reply && typeof reply.run === 'function'
