import { usageGroups } from '../../protocol/usage-groups.ts'
import type { Usage, UsageRow } from './read-usage.ts'

/** The columns that name a group, in the order in which they are shown. */
const groups = [...usageGroups, 'title', 'prompt'] as const

type Cell = string | number | null

const sums: Readonly<Record<string, (row: UsageRow) => Cell>> = {
  reported_usd: ({ costs }) => costs.reported,
  estimated_usd: ({ costs }) => costs.estimated,
  prices_of: ({ costs }) => costs.pricesOf,
  input_tokens: ({ tokens }) => tokens && tokens.input,
  output_tokens: ({ tokens }) => tokens && tokens.output,
  cache_read_tokens: ({ tokens }) => tokens && tokens.cacheRead,
  cache_write_tokens: ({ tokens }) => tokens && tokens.cacheWrite,
  cache_hit_rate: ({ cache }) => cache.hitRate,
  cache_saved_usd: ({ cache }) => cache.saved,
  turns: ({ interactions }) => interactions,
  failed_turns: ({ failures }) => failures.interactions,
  turn_ms: ({ time }) => time,
  wait_ms: ({ waitTime }) => waitTime,
  tool_calls: ({ calls }) => calls,
  failed_tool_calls: ({ failures }) => failures.calls,
  tool_ms: ({ toolTime }) => toolTime,
  lines_added: ({ lines }) => lines && lines.added,
  lines_removed: ({ lines }) => lines && lines.removed,
}

const speeds: Readonly<Record<string, (row: UsageRow) => Cell>> = {
  tokens_per_minute: ({ burn }) => burn?.tokensPerMinute ?? null,
  usd_per_hour: ({ burn }) => burn?.costPerHour ?? null,
  projected_usd: ({ burn }) => burn?.projected ?? null,
}

/** Usage as comma-separated values, with a line of titles. An unknown value is empty. */
export function usageCsv({ rows }: Pick<Usage, 'rows'>): string {
  const named = groups.filter(name => rows.some(row => row[name] !== undefined))
  const columns: readonly (readonly [string, (row: UsageRow) => Cell])[] = [
    ...named.map(name => [name, (row: UsageRow) => row[name] ?? null] as const),
    ...Object.entries(sums),
    ...(rows.some(({ burn }) => burn !== undefined) ? Object.entries(speeds) : []),
  ]
  const lines = [
    columns.map(([name]) => name),
    ...rows.map(row => columns.map(([, read]) => cellOf(read(row)))),
  ]
  return lines.map(line => `${line.join(',')}\r\n`).join('')
}

/** A cell. Spreadsheets run a text that begins like a formula, so such a text gets an apostrophe in front. */
function cellOf(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
