/** How many agents may run at once, and how long one may do nothing. */
export interface SlotLimits {
  readonly places: number
  readonly idleMs: number
}

/** The most that is held at a time: what one append may carry. */
export interface BatchLimits {
  readonly batchItems: number
  readonly batchBytes: number
}

/** All the bounds, in items, bytes and milliseconds. */
export interface Limits extends SlotLimits, BatchLimits {
  /** The longest piece of what an agent writes beside its protocol. */
  readonly logBytes: number
  /** How long an agent may wait for a place before its session says that it does. */
  readonly placeMs: number
  /** How long an agent that starts may do nothing at all, and how long it may take in any case. */
  readonly quietMs: number
  readonly startMs: number
  /** How long an agent may take to stop by itself when it is interrupted. */
  readonly interruptMs: number
  /** How long an agent may take to end when it is told to. */
  readonly endMs: number
  /** How long everything together may take to end. */
  readonly stopMs: number
  /** The first and the longest wait before saving is tried again. */
  readonly retryMs: number
  readonly maxRetryMs: number
  /** How long an agent may go on of which nothing can be saved. */
  readonly saveMs: number
  /** How long a question waits for an answer before it counts as denied. */
  readonly approvalMs: number
  /** How much of a conversation is told to an agent that does not know it, at most. */
  readonly transcriptCharacters: number
  /** How long those who watch all sessions wait, at least, between two words about the same one. */
  readonly watchMs: number
}

/** Bounds that suit one person's machine. */
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
