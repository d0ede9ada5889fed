/** How many agents may run at once, and how long one may be idle. */
export interface SlotLimits {
  readonly places: number
  readonly idleMs: number
}

/** The largest batch: what one append may contain. */
export interface BatchLimits {
  readonly batchItems: number
  readonly batchBytes: number
}

/** All limits, in items, bytes and milliseconds. */
export interface Limits extends SlotLimits, BatchLimits {
  /** The longest piece of an agent's log output. */
  readonly logBytes: number
  /** How long an agent may wait for a slot before the session shows that it waits. */
  readonly placeMs: number
  /** How long a starting agent may be silent, and how long it may take in all. */
  readonly quietMs: number
  readonly startMs: number
  /** How long an agent may take to stop when it is interrupted. */
  readonly interruptMs: number
  /** How long an agent may take to exit when it is asked to. */
  readonly endMs: number
  /** How long all sessions together may take to end. */
  readonly stopMs: number
  /** The first and the longest wait before saving is retried. */
  readonly retryMs: number
  readonly maxRetryMs: number
  /** How long an agent may run while its output cannot be saved. */
  readonly saveMs: number
  /** How long an approval may be pending before it is denied. */
  readonly approvalMs: number
  /** The longest transcript that an agent gets of a conversation it does not have. */
  readonly transcriptCharacters: number
  /** The shortest time between two calls of a watcher for the same session. */
  readonly watchMs: number
}

/** Limits for one person's machine. */
export const defaultLimits: Limits = {
  places: 8,
  idleMs: 5 * 60_000,
  batchItems: 2048,
  batchBytes: 1 << 20,
  logBytes: 1 << 14,
  placeMs: 1000,
  quietMs: 6000,
  startMs: 60_000,
  interruptMs: 5000,
  endMs: 3000,
  stopMs: 5000,
  retryMs: 50,
  maxRetryMs: 5000,
  saveMs: 8000,
  approvalMs: 24 * 60 * 60_000,
  transcriptCharacters: 100_000,
  watchMs: 100,
}
