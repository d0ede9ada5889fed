/** The target of a stream: the connection to one reader, which may be slow or closed. */
export interface Sink {
  /** Sends a text. False when so much waits that the reader should get no more before it has read. */
  write(text: string): boolean
  /** Ends in good order, after what waits. */
  end(): void
  /** Breaks off, so that the reader sees that something is missing. */
  cut(): void
  /** How much waits to be read, in bytes or nearly so. */
  waiting(): number
  /** Sets the listener for events of the reader. One at a time. */
  attend(attendant: Attendant): void
}

/** Is notified when a reader has caught up, and when it is gone. */
export interface Attendant {
  drained(): void
  /** Called once, on either side's end. */
  gone(): void
}
