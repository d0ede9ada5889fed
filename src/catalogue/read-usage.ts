import type { Tokens, UsageLimit } from '../protocol/data-parts.ts'
import type { usageGroups } from '../protocol/usage-groups.ts'
import type { Charge, PriceCuts } from './charges.ts'
import type { Zone } from './days.ts'

/** A field that usage can be grouped by. */
export type Grouping = (typeof usageGroups)[number]

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
  /** The end time for interactions and calls that still run. */
  readonly now: number
  /** Where the prices of models change; nowhere by default. */
  readonly cutsOf?: (models: readonly string[]) => PriceCuts
  /** The most rows; more are an error. */
  readonly mostRows?: number
}

/** Sums of usage; null where a sum cannot be grouped this way. */
export interface UsageSums {
  /** What agents reported. */
  readonly cost: number | null
  readonly tokens: Tokens | null
  /** The same tokens, apart where prices may differ. */
  readonly charges: readonly Charge[] | null
  /** Milliseconds that agents were running, including waits for approvals. */
  readonly time: number | null
  /** Milliseconds that tools ran; several can run at once. */
  readonly toolTime: number | null
  /** Milliseconds that tool calls waited for a person. */
  readonly waitTime: number | null
  readonly interactions: number | null
  readonly calls: number | null
  readonly failures: { readonly interactions: number | null; readonly calls: number | null }
  /** Lines that tool calls changed, as far as these show it. */
  readonly lines: { readonly added: number; readonly removed: number } | null
}

/** The usage of one group. */
export type UsageRow = UsageSums & UsageGroup & UsageFacts

/** The values that a group of usage has in common. */
export type UsageGroup = { readonly [Name in Exclude<Grouping, Unknowable>]?: string } & {
  readonly [Name in Unknowable]?: string | null
}

type Unknowable = 'model' | 'branch' | 'interaction' | 'reason'

/** What else is known of a group. */
interface UsageFacts {
  /** The title of a session. */
  readonly title?: string | null
  /** The entry that started an interaction. */
  readonly startSeq?: number
  /** The first and the last moment of usage in a block. */
  readonly span?: { readonly first: number; readonly last: number }
}

/** A limit of an agent's subscription, and when it was reported. */
export interface AgentLimit extends UsageLimit {
  readonly agent: string
  readonly at: number
}

/** Usage across sessions, by group and in total, and how much of it is unknown. */
export interface UsageRead {
  readonly from: number
  readonly to: number
  readonly rows: readonly UsageRow[]
  readonly total: UsageSums & { readonly sessions: number }
  /** The newest report of each limit, of any time. */
  readonly limits: readonly AgentLimit[]
  readonly unknown: {
    /** Sessions that ran in this time without any cost data. */
    readonly sessions: number
    /** Messages with tokens and without a cost. */
    readonly messages: number
  }
}
