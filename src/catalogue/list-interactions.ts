import type { Moment } from '../projections/moment.ts'
import type { WorkOutcome } from '../projections/work-log/work-facts.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { Outcome, Trigger, Validity } from '../protocol/event.ts'

/** Which interactions of a session to list. */
export interface InteractionFilter {
  readonly state?: InteractionRow['state']
  readonly validity?: Validity
  readonly trigger?: Trigger
  readonly agent?: string
  /** Only interactions that began before this seq. */
  readonly before?: number
  readonly limit: number
}

/** An interaction as a list shows it: a prompt, or another cause, and everything that followed. */
export interface InteractionRow {
  readonly id: string
  readonly trigger: Trigger
  readonly agent: string
  readonly prompt: string | null
  readonly state: 'open' | 'closed' | 'aborted'
  readonly outcome: Outcome | null
  /** Why it ended this way; null when it finished normally. */
  readonly reason: string | null
  readonly start: Moment
  readonly stop: Moment | null
  readonly validity: Validity
  /** Whether a person deleted, or pinned, the whole interaction. */
  readonly deleted: boolean
  readonly pinned: boolean
  /** Its messages in all threads, in the order in which they began. */
  readonly messages: readonly InteractionMessage[]
  /** The number of work log entries by outcome. */
  readonly work: Readonly<Record<WorkOutcome, number>>
}

/** A message of an interaction. */
export interface InteractionMessage {
  readonly id: string
  readonly thread: Thread
  readonly role: 'user' | 'assistant' | 'system'
}

/** Interactions, the oldest first, and the `before` of the page before them: null on the first page. */
export interface InteractionPage {
  readonly interactions: readonly InteractionRow[]
  readonly next: number | null
}
