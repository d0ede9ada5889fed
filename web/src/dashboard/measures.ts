import { wholeCost, type UsageRow, type UsageSums } from 'dragoman/client/usage'
import { dollars, short } from '../ui/amounts.ts'
import { duration } from '../ui/moments.ts'

/** What rows can be grouped by. */
export type Grouping =
  | 'day'
  | 'hour'
  | 'block'
  | 'agent'
  | 'model'
  | 'folder'
  | 'branch'
  | 'session'
  | 'interaction'
  | 'tool'
  | 'file'
  | 'reason'

/** A column of a table: its name, its value, and how that is written. */
export interface Measure {
  readonly name: string
  readonly valueOf: (row: UsageSums & Pick<UsageRow, 'burn'>) => number | null
  readonly write: (value: number) => string
}

const tokens = (name: string, part: keyof NonNullable<UsageSums['tokens']>): Measure => ({
  name,
  valueOf: row => row.tokens?.[part] ?? null,
  write: short,
})

/** A share in percent. */
export const percent = (value: number): string =>
  `${(value * 100).toFixed((value > 0 && value < 0.1) || (value < 1 && value > 0.995) ? 1 : 0)}%`

/** The cost of what agents used, reported and estimated together. */
export const cost: Measure = { name: 'Cost', valueOf: row => wholeCost(row.costs), write: dollars }
/** How much of the cost is estimated. */
export const estimated: Measure = {
  name: 'Estimated',
  valueOf: row => row.costs.estimated,
  write: dollars,
}
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
/** The part of the input that was read from a cache. */
export const cacheHits: Measure = { name: 'Cache hits', valueOf: row => row.cache.hitRate, write: percent }
/** How much more the same tokens would cost without caches. */
export const cacheSaved: Measure = { name: 'Cache saved', valueOf: row => row.cache.saved, write: dollars }
/** Time from prompts to answers, including time waiting for the user; imported sessions have none. */
export const time: Measure = { name: 'Time', valueOf: row => row.time || null, write: duration }
/** How long calls waited for the user. */
export const waitTime: Measure = {
  name: 'Waited for you',
  valueOf: row => row.waitTime || null,
  write: duration,
}
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
const linesAdded: Measure = count('Lines added', row => row.lines && row.lines.added)
const linesRemoved: Measure = count('Lines removed', row => row.lines && row.lines.removed)
const speed: Measure = count('Tokens per minute', row => row.burn?.tokensPerMinute ?? null)
const costSpeed: Measure = {
  name: 'Cost per hour',
  valueOf: row => row.burn?.costPerHour ?? null,
  write: dollars,
}
const projected: Measure = {
  name: 'Projected cost',
  valueOf: row => row.burn?.projected ?? null,
  write: dollars,
}
/** How often a tool fails. */
export const failureRate: Measure = {
  name: 'Failure rate',
  valueOf: row => (row.calls ? (row.failures.calls ?? 0) / row.calls : null),
  write: percent,
}

const paid = [cost, estimated, ...tokenMeasures, cacheHits, cacheSaved]
const worked = [time, waitTime, interactions, failedInteractions, calls, failedCalls]
const all = [...paid, ...worked, linesAdded, linesRemoved]

/** The measures available for each grouping. */
export const measuresOf: { readonly [Name in Grouping]: readonly Measure[] } = {
  day: all,
  hour: all,
  block: [cost, estimated, costSpeed, projected, speed, ...tokenMeasures, ...worked],
  agent: all,
  model: paid,
  folder: all,
  branch: all,
  session: all,
  interaction: all,
  tool: [calls, failedCalls, failureRate, toolTime, waitTime, linesAdded, linesRemoved],
  file: [calls, failedCalls, linesAdded, linesRemoved],
  reason: [failedCalls],
}

/** The text for groups without a name. */
const nameless: { readonly [Name in Grouping]?: string } = {
  model: 'Unknown model',
  branch: 'Branch not recorded',
  interaction: 'Outside a turn',
  session: 'Untitled session',
  reason: 'No reason given',
}

/** The name of a row. */
export function nameOf(row: UsageRow, by: Grouping): string {
  if (by === 'session') return row.title || nameless.session || ''
  if (by === 'interaction') return row.prompt || row.title || nameless.interaction || ''
  const name = row[by] || nameless[by] || 'Unknown'
  return by === 'reason' && row.tool !== undefined ? `${row.tool}: ${name}` : name
}

/** What only this row has, among rows of the same grouping. */
export const keyOf = (row: UsageRow, by: Grouping): string =>
  by === 'interaction' ? `${row.session} ${row.interaction}` : `${row.tool ?? ''} ${row[by] ?? ''}`
