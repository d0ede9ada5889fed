/** How long each thing may take, in milliseconds. */
export interface Timing {
  /** A call without an answer is given up. */
  readonly callMs: number
  /** A way to the server that does not open is given up. */
  readonly openMs: number
  /** How often an open way is looked at. */
  readonly beatMs: number
  /** After so long a silence a sign of life is asked for, at every look. */
  readonly pingMs: number
  /** A stream of events that is silent for so long counts as cut. */
  readonly silenceMs: number
  /** A session of which nothing came for so long is asked for again, in case its last words were lost on the way. */
  readonly recheckMs: number
  /** Between attempts: at first, and at most. A person who looks on waits as long once the server is back. */
  readonly retryFirstMs: number
  readonly retryMostMs: number
  /** How often what a session shows is made anew while it streams. */
  readonly throttleMs: number
  /** How often data outside of entries is reloaded: lists, and facts about a session. */
  readonly refreshMs: number
  /** How long a sent prompt stays listed, until its session shows it. */
  readonly savedMs: number
  /** How long a session stays open after its last reader left. */
  readonly lingerMs: number
}

/** What is right for people and networks as they are. */
export const defaultTiming: Timing = {
  callMs: 30_000,
  openMs: 10_000,
  beatMs: 5_000,
  pingMs: 15_000,
  silenceMs: 45_000,
  recheckMs: 30_000,
  retryFirstMs: 250,
  retryMostMs: 3_000,
  throttleMs: 50,
  refreshMs: 250,
  savedMs: 2_000,
  lingerMs: 1_000,
}
