/** What a stream is written to: the way to one reader, who may be slow, or gone. */
export interface Sink {
  /** Sends a text. False when so much waits that the reader should get no more before it has read. */
  write(text: string): boolean
  /** Ends in good order, after what waits. */
  end(): void
  /** Breaks off, so that the reader sees that something is missing. */
  cut(): void
  /** How much waits to be read, in bytes or nearly so. */
  waiting(): number
  /** Says who is to be told of what happens to the reader. One at a time. */
  attend(attendant: Attendant): void
}

/** Who is told when a reader has read what waited, and when it is gone. */
export interface Attendant {
  drained(): void
  /** Told once, whoever ended it. */
  gone(): void
}
