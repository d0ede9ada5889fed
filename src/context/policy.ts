/** The names of the policies that come with Dragoman. */
export type ProfileName = 'off' | 'lossless' | 'safe' | 'balanced' | 'aggressive'

/** How a history is made smaller for a model. The journal keeps everything. */
export interface Policy {
  readonly name: string
  /** Whether lines of a new result that are visible already are sent as a reference. Loses nothing. */
  readonly deduplicate: boolean
  /** Whether what tools and rules found obsolete is cleared, each at its moment. */
  readonly rules: boolean
  /** What is cleared when the provider's cache is cold anyway; null clears nothing then. */
  readonly cold: Sweep | null
  /** What is cleared although the cache is warm, once there is enough of it; null clears nothing then. */
  readonly unused: Tidying | null
  /** What is cleared when the window fills; null never does. */
  readonly pressure: Pressure | null
  /** After how many seconds without a request the provider's cache expires. */
  readonly cacheSeconds: number
}

/** A clearing of old results at a free moment. */
export interface Sweep {
  /** For how many requests results of searches and commands stay. */
  readonly keepSteps: number
  /** For how many requests the content of a file stays after anything was done with the file. */
  readonly keepFiles: number
}

/** A clearing of results that were not used for long. Each one costs the cache once, so it must save much. */
export interface Tidying extends Sweep {
  /** How many tokens it must save at least. */
  readonly leastGain: number
}

/** A clearing in one batch, as shares of the window. When the window is quite full, files stay no longer than the rest. */
export interface Pressure extends Sweep {
  readonly from: number
  readonly to: number
}
