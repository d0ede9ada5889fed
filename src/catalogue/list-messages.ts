import type { Thread } from '../protocol/chunk.ts'
import type { MessageRow } from './change.ts'

/** Which messages of a session to list. */
export interface MessageFilter {
  /** A subagent's thread; null is the main conversation. */
  readonly thread: Thread
  /** Only messages that began before this seq. */
  readonly before?: number
  /** Include replaced messages: an edited prompt, an answer that was regenerated. */
  readonly replaced?: boolean
  readonly limit: number
}

/** Messages, the newest first, and the `before` of the next page: null on the last page. */
export interface MessagePage {
  readonly messages: readonly MessageRow[]
  readonly next: number | null
}
