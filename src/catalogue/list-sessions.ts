import type { SessionSummary } from '../projections/summary.ts'

/**
 * Which sessions to list. Deleted and archived sessions are listed only on request. A filter for running or waiting
 * sessions includes archived ones, so that no waiting agent goes unseen.
 */
export interface SessionFilter {
  /** Text to find in the title, the folder or an id. */
  readonly query?: string
  readonly agent?: string
  readonly status?: SessionSummary['status']
  readonly archived?: boolean
  readonly deleted?: boolean
  readonly pinned?: boolean
  /** The `next` of the page before. */
  readonly cursor?: string
  readonly limit: number
}

/** Sessions, and the cursor of the next page: null on the last page. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  readonly next: string | null
}
