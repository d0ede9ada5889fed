/** The options of a server. */
export interface ServerAsked {
  readonly folder: string
  /** Where Redis is, for a server that needs it. */
  readonly redis?: string
}

/** Where a server is. */
export interface Served {
  readonly url: string
  readonly token: string
}
