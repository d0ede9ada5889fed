/** The names of the policies that come with Dragoman. */
export type ProfileName = 'off' | 'lossless' | 'safe' | 'balanced' | 'aggressive'

/** How a history is made small for a model: nothing here changes what is kept. */
export interface Policy {
  readonly name: string
  /** Whether lines of a new result that are visible already are sent as a reference. Loses nothing. */
  readonly deduplicate: boolean
  /** Whether what tools and rules found obsolete is cleared, each at its moment. */
  readonly rules: boolean
  /** What is cleared when the provider's cache is cold anyway; null clears nothing then. */
  readonly cold: Sweep | null
  /** What is cleared although the cache is warm, once enough of it has gathered; null clears nothing then. */
  readonly unused: Tidying | null
  /** What is cleared when the window fills; null never does. */
  readonly pressure: Pressure | null
  /** After how many seconds of silence a provider has forgotten a prefix. */
  readonly cacheSeconds: number
}

/** A clearing of old results at a free moment. */
export interface Sweep {
  /** For how many requests results of searches and commands stay. */
  readonly keepSteps: number
  /** For how many requests the content of a file stays after anything was done with the file. */
  readonly keepFiles: number
}

/** A clearing of what nobody used for long: each one costs the cache once, so it must gain much. */
export interface Tidying extends Sweep {
  /** How many tokens must have gathered. */
  readonly leastGain: number
}

/** A clearing in one batch, as shares of the window. When the window is quite full, files stay no longer than the rest. */
export interface Pressure extends Sweep {
  readonly from: number
  readonly to: number
}
