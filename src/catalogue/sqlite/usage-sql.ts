import type { Cell } from '../../journal/sqlite/tables.ts'
import { stretchesOf } from '../days.ts'
import type { Grouping, UsageFilter } from '../read-usage.ts'

/** A filter whose time is that of usage. */
export type Ranged = UsageFilter & { readonly from: number }

/** Copies and deleted sessions are not counted. */
export const isCounted = (table: string): string =>
  `${table}.copied = 0 and ${table}.session not in (select session from session_summary where deleted = 1)`

/** Whether the agent of a row is not in a parameter, which is a JSON array. */
export const isOfOthers = (table: string, parameter: number): string =>
  `${table}.agent not in (select value from json_each(?${parameter}))`

/** The parameters ?1 to ?4 of every question about usage. */
export const parametersOf = ({ from, to, now, without = [] }: Ranged): readonly Cell[] => [
  from,
  to,
  now,
  JSON.stringify(without),
]

/** The columns of groups, their numbers, and the table that they need. */
export function groupSql(
  { by, from, to, zone }: Ranged,
  groups: { readonly [Name in Grouping]?: string },
  at: string,
) {
  const offset = offsetSql(stretchesOf(zone, from, to), at)
  const times: { readonly [Name in Grouping]?: string } = {
    day: `(${at} + ${offset}) / ${24 * hourMs}`,
    hour: `(${at} + ${offset}) / ${hourMs} * ${hourMs} - ${offset}`,
    block: `${at} / ${hourMs} * ${hourMs}`,
  }
  const columns = by.map(name => `${times[name] ?? groups[name] ?? 'null'} as "${name}"`)
  const titles = by.includes('session') ? ['max(session_summary.title) as title'] : []
  const isAbout = (name: Grouping) => name === 'folder' || name === 'session'
  return {
    columns: [...columns, ...titles],
    places: by.map((_, index) => String(index + 1)),
    join: by.some(isAbout) ? 'join session_summary using (session)' : '',
  }
}

const hourMs = 3_600_000

/** The milliseconds that a time zone is ahead of UTC at a moment. */
function offsetSql(stretches: ReturnType<typeof stretchesOf>, at: string): string {
  const offsets = stretches.map(({ until, ms }) => `when ${at} < ${until} then ${ms}`)
  return `case ${offsets.join(' ')} end`
}
