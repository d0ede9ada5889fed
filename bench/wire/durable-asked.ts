/** What the peer's server is started with. */
export interface DurableAsked {
  readonly folder: string
}

/** Where its stream is. */
export interface DurableTold {
  readonly url: string
}
