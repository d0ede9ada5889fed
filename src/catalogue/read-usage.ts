import type { Tokens } from '../protocol/data-parts.ts'
import type { Zone } from './days.ts'

/** How usage can be grouped. */
export type Grouping = 'day' | 'agent' | 'model' | 'folder' | 'tool'

/** Which usage to sum up. */
export interface UsageFilter {
  /** From this moment; from the first usage without it. */
  readonly from?: number
  /** Up to this moment, exclusive. */
  readonly to: number
  /** The time zone of the days. */
  readonly zone: Zone
  readonly by: readonly Grouping[]
  /** Agents to leave out. */
  readonly without?: readonly string[]
  /** The end of what still runs. */
  readonly now: number
}

/** Sums of usage; null where a sum cannot be grouped this way. */
export interface UsageSums {
  readonly cost: number | null
  readonly tokens: Tokens | null
  /** Milliseconds that agents were running, including waits for approvals. */
  readonly time: number | null
  /** Milliseconds that tools ran; several can run at once. */
  readonly toolTime: number | null
  readonly interactions: number | null
  readonly calls: number | null
  readonly failures: { readonly interactions: number | null; readonly calls: number | null }
}

/** The usage of one group. */
export type UsageRow = UsageSums & UsageGroup

/** The values that a group of usage has in common. */
export type UsageGroup = { readonly [Name in Exclude<Grouping, 'model'>]?: string } & {
  readonly model?: string | null
}

/** Usage across sessions, by group and in total, and how much of it is unknown. */
export interface UsageRead {
  readonly from: number
  readonly to: number
  readonly rows: readonly UsageRow[]
  readonly total: UsageSums & { readonly sessions: number }
  readonly unknown: {
    /** Sessions that ran in this time without any cost data. */
    readonly sessions: number
    /** Messages with tokens and without a cost. */
    readonly messages: number
  }
}
