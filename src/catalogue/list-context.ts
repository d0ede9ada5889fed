import type { EventOf } from '../protocol/event.ts'
import type { Decision } from '../protocol/manipulation.ts'

/** A request that was sent to a model. */
export interface RequestRow extends Omit<EventOf<'context-compiled'>, 'type' | 'changes'> {
  readonly seq: number
  /** The number of parts whose decision changed with this request. */
  readonly changed: number
}

/** The sums over all requests of a session. */
export interface RequestTotals {
  readonly requests: number
  /** Message tokens of the whole history, summed over all requests, and of what was sent. */
  readonly before: number
  readonly after: number
}

/** Which decisions to list: those in effect at the request of an entry. */
export interface DecisionFilter {
  readonly asOf: number
  readonly part?: string
  /** The `next` of the page after. */
  readonly cursor?: string
  readonly limit: number
}

/** A decision about a part. */
export interface DecisionRow {
  readonly part: string
  readonly seq: number
  readonly decision: Decision
  readonly tokens: { readonly before: number; readonly after: number } | null
}

/** Decisions, the oldest first, and the cursor of the page before them: null on the first page. */
export interface DecisionPage {
  readonly decisions: readonly DecisionRow[]
  readonly total: number
  readonly next: string | null
}
