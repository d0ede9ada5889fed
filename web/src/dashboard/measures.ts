import type { UsageRow, UsageSums } from 'dragoman/client/usage'
import { dollars, short } from '../ui/amounts.ts'
import { duration } from '../ui/moments.ts'

/** What rows can be grouped by. */
export type Grouping = 'day' | 'agent' | 'model' | 'folder' | 'tool'

/** A column of a table: its name, its value, and how that is written. */
export interface Measure {
  readonly name: string
  readonly valueOf: (row: UsageSums) => number | null
  readonly write: (value: number) => string
}

const tokens = (name: string, part: keyof NonNullable<UsageSums['tokens']>): Measure => ({
  name,
  valueOf: row => row.tokens?.[part] ?? null,
  write: short,
})

/** What agents used, in dollars. */
export const cost: Measure = { name: 'Cost', valueOf: row => row.cost, write: dollars }
/** Tokens by kind. */
export const tokenMeasures: readonly Measure[] = [
  tokens('Input', 'input'),
  tokens('Output', 'output'),
  tokens('Cache read', 'cacheRead'),
  tokens('Cache write', 'cacheWrite'),
]
/** All tokens together. */
export const allTokens: Measure = {
  name: 'Tokens',
  valueOf: ({ tokens: all }) => all && all.input + all.output + all.cacheRead + all.cacheWrite,
  write: short,
}
/** Time from prompts to answers, including time waiting for the user; imported sessions have none. */
export const time: Measure = { name: 'Time', valueOf: row => row.time || null, write: duration }
/** How long tools ran. */
export const toolTime: Measure = { name: 'Tool time', valueOf: row => row.toolTime, write: duration }

const count = (name: string, valueOf: Measure['valueOf']): Measure => ({ name, valueOf, write: short })

/** How many interactions there were, and how many failed. */
export const interactions: Measure = count('Turns', row => row.interactions)
/** How many of them failed. */
export const failedInteractions: Measure = count('Failed', row => row.failures.interactions)
/** How many tool calls there were. */
export const calls: Measure = count('Tool calls', row => row.calls)
/** How many of them failed. */
export const failedCalls: Measure = count('Failed calls', row => row.failures.calls)
/** How often a tool fails. */
export const failureRate: Measure = {
  name: 'Failure rate',
  valueOf: row => (row.calls ? (row.failures.calls ?? 0) / row.calls : null),
  write: value => `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)}%`,
}

/** The measures available for each grouping. */
export const measuresOf: { readonly [Name in Grouping]: readonly Measure[] } = {
  day: [cost, ...tokenMeasures, time, interactions, failedInteractions, calls, failedCalls],
  agent: [cost, ...tokenMeasures, time, interactions, failedInteractions, calls, failedCalls],
  model: [cost, ...tokenMeasures],
  folder: [cost, ...tokenMeasures, time, interactions, failedInteractions, calls, failedCalls],
  tool: [calls, failedCalls, failureRate, toolTime],
}

/** The name of a row. */
export function nameOf(row: UsageRow, by: Grouping): string {
  if (by === 'model') return row.model ?? 'Unknown model'
  return row[by] || 'Unknown'
}
