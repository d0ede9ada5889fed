/** Everything a caller can have done wrong, or a machine can have failed at. A closed set. */
export type ErrorCode =
  | 'invalid-input'
  | 'unknown-session'
  | 'unknown-agent'
  | 'unknown-approval'
  | 'unknown-interaction'
  | 'unknown-prompt'
  | 'session-exists'
  | 'prompt-exists'
  | 'session-archived'
  | 'session-damaged'
  | 'approval-settled'
  | 'cursor-ahead'
  | 'follower-behind'
  | 'agent-unavailable'
  | 'folder-locked'
  | 'folder-read-only'
  | 'folder-newer'
  | 'disk-full'
  | 'save-failed'
  | 'journal-closed'
  | 'data-folder-gone'
  | 'writer-dead'
  | 'journal-unreachable'
  | 'not-owner'
  | 'unknown-message'
  | 'unknown-entry'
  | 'unknown-rule'
  | 'rule-refused'
  | 'unknown-part'
  | 'unknown-manipulation'
  | 'unknown-request'
  | 'unknown-import'
  | 'change-refused'
  | 'unknown-path'
  | 'session-busy'
  | 'folder-not-allowed'
  | 'not-authenticated'
  | 'not-allowed'
  | 'too-many-attempts'
  | 'too-many-connections'
  | 'wrong-method'
  | 'wrong-content-type'
  | 'too-large'
  | 'draining'
  | 'internal'
  | 'server-gone'
  | 'address-in-use'

/** The one error class. Its message is a sentence for people: what was wrong, and what to do. */
export class DragomanError extends Error {
  override readonly name = 'DragomanError'
  readonly code: ErrorCode
  /** What a program needs to act on the error: the head of a journal, the winner of an approval … */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    { cause, ...details }: { readonly cause?: unknown; readonly [detail: string]: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}

/** Whether a value is our error with one of the given codes (or with any, when none is given). */
export const isDragomanError = (value: unknown, ...codes: readonly ErrorCode[]): value is DragomanError =>
  value instanceof DragomanError && (codes.length === 0 || codes.includes(value.code))

/** The message of an error, or the text of whatever else was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
