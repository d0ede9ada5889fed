import type { Decision, DecisionChange } from '../protocol/manipulation.ts'

/** What one request contained, and why. With the history it gives the same messages again. */
export interface Manifest {
  readonly policy: string
  readonly step: number
  readonly at: number
  /** How many messages of the history it covers, and the last of them. */
  readonly messages: number
  readonly lastMessage: string | null
  /** The decisions about parts that are not included in full, by part. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** What is new since the request before. */
  readonly changes: readonly DecisionChange[]
  /** Message tokens of the whole history, and of what is sent. */
  readonly tokens: { readonly before: number; readonly after: number }
  /** How many messages at the beginning are the same as in the request before. */
  readonly keptMessages: number
  /** Whether the messages of the request before are unchanged, so that its cached prefix is valid. */
  readonly isPrefixKept: boolean
  /** Whether the cache was taken to be cold, so that changing the prefix cost nothing. */
  readonly isCold: boolean
}

export type { Decision, DecisionChange, Span } from '../protocol/manipulation.ts'
