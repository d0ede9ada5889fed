/** The request that a context is made for. */
export interface Target {
  /** Counts the model requests of the history from 1. */
  readonly step: number
  /** When it is sent: journal time in milliseconds. */
  readonly at: number
  /** How many tokens the model can take in. */
  readonly window: number
  /** What every request has before the messages: instructions, tools. In tokens. */
  readonly fixedTokens: number
  /**
   * How a change of an earlier part affects the thinking after it. `free`: not at all. `dropped`: it is no longer
   * valid and is left out (Anthropic, asked to drop such blocks). `bound`: the same, and nothing is changed before the
   * thinking of an interaction that is running, because the provider would refuse the request.
   */
  readonly thinking: 'free' | 'dropped' | 'bound'
  /** Whether the provider's cache is lost whatever is sent: at resume, fork, compaction or a change of model. */
  readonly boundary: boolean
  /** Whether nothing but results can be changed: in the history that an agent keeps itself. */
  readonly onlyResults?: boolean
}
