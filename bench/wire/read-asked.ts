/** Streams to be read to their end, all at once. */
export interface ReadAsked {
  readonly streams: readonly {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }[]
}

/** How long that took, from the question and from the first word, and how much text came. */
export interface ReadTold {
  readonly milliseconds: number
  readonly sinceFirst: number
  readonly characters: number
}
