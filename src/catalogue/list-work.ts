import type { WorkOutcome } from '../projections/work-log/work-facts.ts'
import type { WorkLogEntry } from '../projections/work-log/work-log-entry.ts'

/** Which entries of a session's work log to list. */
export interface WorkFilter {
  readonly interaction?: string
  readonly message?: string
  /** A tool by its agent's name for it, or all tools of a kind: `run`, `edit`. */
  readonly tool?: string
  readonly outcome?: WorkOutcome
  /** A subagent's thread; '' is the main conversation. All threads without it. */
  readonly thread?: string
  /** The `next` of the page after. */
  readonly cursor?: string
  readonly limit: number
}

/** Work log entries, the oldest first, and the cursor of the page before them: null on the first page. */
export interface WorkPage {
  readonly entries: readonly WorkLogEntry[]
  readonly next: string | null
}
