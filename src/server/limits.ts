/** All limits of the server, in bytes, items and milliseconds. */
export interface ServerLimits {
  readonly bodyBytes: number
  /** How deep the JSON of a request may be nested. */
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
  /** A client with more unread bytes than this gets nothing new until it reads. */
  readonly parkBytes: number
  /** A WebSocket with more unread bytes than this is closed. */
  readonly dropBytes: number
  /** A client that is behind and reads nothing for this long is disconnected. */
  readonly stallMs: number
  readonly frameBytes: number
  readonly sockets: number
  readonly followsPerSocket: number
  /** How often a WebSocket gets a ping. */
  readonly pingMs: number
  /** How many wrong tokens an address may try in a row; it gets one more try each second. */
  readonly wrongTokens: number
  readonly ticketMs: number
  /** How long streams and requests may take to end when the server stops. */
  readonly drainMs: number
}

/** Limits for one person's machine, which a thousand clients do not reach. */
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
