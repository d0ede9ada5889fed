/** The options of the peer's server. */
export interface DurableAsked {
  readonly folder: string
}

/** Where its stream is. */
export interface DurableTold {
  readonly url: string
}
