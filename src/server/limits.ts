/** All the bounds of the server, in bytes, items and milliseconds. */
export interface ServerLimits {
  readonly bodyBytes: number
  /** How deep JSON from outside may be nested. */
  readonly jsonDepth: number
  readonly urlBytes: number
  readonly headerBytes: number
  /** How many connections may be open at once, idle ones included. */
  readonly connections: number
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersMs: number
  readonly requestMs: number
  /** How often an idle stream sends a heartbeat. */
  readonly heartbeatMs: number
  /** A reader of which this much waits gets no more until it reads. */
  readonly parkBytes: number
  /** A WebSocket of which this much waits is closed. */
  readonly dropBytes: number
  /** A parked reader that reads nothing for so long is let go. */
  readonly stallMs: number
  readonly frameBytes: number
  readonly sockets: number
  readonly followsPerSocket: number
  /** How often a WebSocket is asked whether anyone is there. */
  readonly pingMs: number
  /** How many wrong tokens an address may try at once; it gets one more each second. */
  readonly wrongTokens: number
  readonly ticketMs: number
  /** How long streams and requests may take to end when the server does. */
  readonly drainMs: number
}

/** Bounds that suit one person's machine, and that a thousand clients do not reach. */
export const defaultServerLimits: ServerLimits = {
  bodyBytes: 16 << 20,
  jsonDepth: 64,
  urlBytes: 8 << 10,
  headerBytes: 16 << 10,
  connections: 12_000,
  headersMs: 10_000,
  requestMs: 60_000,
  heartbeatMs: 15_000,
  parkBytes: 256 << 10,
  dropBytes: 1 << 20,
  stallMs: 30_000,
  frameBytes: 1 << 20,
  sockets: 10_000,
  followsPerSocket: 1000,
  pingMs: 30_000,
  wrongTokens: 60,
  ticketMs: 5 * 60_000,
  drainMs: 2000,
}
