/** How long each thing may take, in milliseconds. */
export interface Timing {
  /** A call without a reply fails. */
  readonly callMs: number
  /** A connection that does not open is closed. */
  readonly openMs: number
  /** How often an open connection is checked. */
  readonly beatMs: number
  /** After this silence, a ping is sent at every check. */
  readonly pingMs: number
  /** An event stream counts as lost after this silence. */
  readonly silenceMs: number
  /** A session is requested again after this silence, in case its last entries were lost. */
  readonly recheckMs: number
  /** The first and the longest wait between attempts. Once the server is back, a user waits at most this long. */
  readonly retryFirstMs: number
  readonly retryMostMs: number
  /** How often the state of a session is updated while it streams. */
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
