import type { Row, Tables } from '../journal/journal.ts'
import type { Tokens } from '../protocol/data-parts.ts'
import { DragomanError } from '../protocol/error.ts'
import { nameOfDay, stretchesOf, type Zone } from './days.ts'
import { usageSources, type Grouping, type UsageSource } from './usage-sources.ts'

/** Which use to sum up. */
export interface UsageFilter {
  /** From this moment; from the first that there is unless told. */
  readonly from?: number
  /** Up to this moment, which is no longer counted. */
  readonly to: number
  /** Whose days count. */
  readonly zone: Zone
  readonly by: readonly Grouping[]
  /** The agents whose use is left out. */
  readonly without?: readonly string[]
  /** Until when that which has not ended has run. */
  readonly now: number
}

/** Some use; null where it cannot be told by what it is grouped by. */
export interface UsageSums {
  readonly cost: number | null
  readonly tokens: Tokens | null
  /** Milliseconds for which agents were at work, waiting for answers included. */
  readonly time: number | null
  /** Milliseconds for which tools ran; several may at once. */
  readonly toolTime: number | null
  readonly interactions: number | null
  readonly calls: number | null
  readonly failures: { readonly interactions: number | null; readonly calls: number | null }
}

/** The use of one group. */
export type UsageRow = UsageSums & Group

type Group = { readonly [Name in Exclude<Grouping, 'model'>]?: string } & { readonly model?: string | null }

/** What was used across sessions, in groups and in all, and what is not known of it. */
export interface UsageRead {
  readonly from: number
  readonly to: number
  readonly rows: readonly UsageRow[]
  readonly total: UsageSums & { readonly sessions: number }
  readonly unknown: {
    /** Sessions at work then of which nobody told a cost. */
    readonly sessions: number
    /** Messages that told tokens and no cost. */
    readonly messages: number
  }
}

const mostRows = 10_000

/** Sums up what was used, from tables alone. */
export async function readUsage(tables: Tables, filter: UsageFilter): Promise<UsageRead> {
  const { first, last } = await reachOf(tables)
  const from = filter.from ?? Math.min(first, filter.to)
  // Clocks are looked up for as long as there is something to tell, however long a time was asked for.
  const ranged = { ...filter, from: Math.max(from, first), to: Math.min(filter.to, last + 1) }
  const canTell = ({ groups }: UsageSource) => filter.by.every(name => name in groups)
  if (!usageSources.some(canTell))
    throw new DragomanError(
      'invalid-input',
      `Cannot group by ${filter.by.join(' and ')} together: only cost and tokens have a model, and only calls have a tool.`,
    )
  const [groups, others, { worked, ...rest }] = await Promise.all([
    Promise.all(usageSources.filter(canTell).map(source => readSource(tables, source, ranged))),
    Promise.all(
      usageSources
        .filter(source => !canTell(source))
        .map(source => readSource(tables, source, { ...ranged, by: [] })),
    ),
    readUnknown(tables, ranged),
  ])
  const rows = gather(filter.by, groups)
  const total = addUp([...rows, ...gather([], others)])
  return { from, to: filter.to, rows, total: { ...total, sessions: worked }, unknown: rest }
}

type Ranged = UsageFilter & { readonly from: number }

/** The first and the last moment of which anything is known. */
async function reachOf(tables: Tables) {
  const [row] = await tables.read(
    // Asked for one by one, each is at the end of an index.
    `select min(at) as first, max(at) as last from (
       select min(at) as at from spent union all select max(at) from spent
       union all select min(start_at) from interaction union all select max(start_at) from interaction
       union all select min(start_at) from tool_call union all select max(start_at) from tool_call)`,
    [],
  )
  return { first: Number(row?.['first'] ?? 0), last: Number(row?.['last'] ?? 0) }
}

/** Deleted sessions are as unknown as none. */
const isCounted = `copied = 0 and session not in (select session from session_summary where deleted = 1)`

/** Whether a row is of none of the agents in a parameter, which is a list in JSON. */
const isOfOthers = (table: string, parameter: number) =>
  `${table}.agent not in (select value from json_each(?${parameter}))`

async function readSource(tables: Tables, source: UsageSource, filter: Ranged): Promise<readonly Row[]> {
  const { by, from, to, zone } = filter
  const dayOf = daySql(stretchesOf(zone, from, to), source.at)
  const groups = by.map(name => `${name === 'day' ? dayOf : (source.groups[name] ?? 'null')} as "${name}"`)
  const places = by.map((_, index) => index + 1).join(', ')
  const folder = by.includes('folder') ? 'join session_summary using (session)' : ''
  const rows = await tables.read(
    `select ${[...groups, source.sums].join(', ')} from ${source.table} ${folder}
     where ${source.at} >= ?1 and ${source.at} < ?2 and ?3 is not null and ${isCounted} and ${isOfOthers(source.table, 4)}
     ${by.length > 0 ? `group by ${places} order by ${places}` : ''} limit ${mostRows + 1}`,
    [from, to, filter.now, JSON.stringify(filter.without ?? [])],
  )
  if (rows.length <= mostRows) return rows
  throw new DragomanError(
    'invalid-input',
    `The result has more than ${mostRows} rows. Choose a shorter period, or group by fewer fields.`,
  )
}

/** The number of the day of a moment, by the clocks of a zone. */
function daySql(stretches: ReturnType<typeof stretchesOf>, at: string): string {
  const offsets = stretches.map(({ until, ms }) => `when ${at} < ${until} then ${ms}`)
  return `(${at} + case ${offsets.join(' ')} end) / 86400000`
}

/** Rows of several sources about the same groups become one. */
function gather(by: readonly Grouping[], sources: readonly (readonly Row[])[]): readonly UsageRow[] {
  const found = new Map<string, Row>()
  for (const row of sources.flat()) {
    const key = JSON.stringify(by.map(name => row[name]))
    found.set(key, { ...found.get(key), ...row })
  }
  return [...found.values()].map(row => ({ ...groupOf(by, row), ...sumsOf(row) }))
}

const groupOf = (by: readonly Grouping[], row: Row): Group =>
  Object.fromEntries(
    by.map(name => [name, name === 'day' ? nameOfDay(Number(row['day'])) : (row[name] ?? null)]),
  )

function sumsOf(row: Row): UsageSums {
  const read = (name: string) => (row[name] ?? null) as number | null
  const tokens = {
    input: read('input') ?? 0,
    output: read('output') ?? 0,
    cacheRead: read('cache_read') ?? 0,
    cacheWrite: read('cache_write') ?? 0,
  }
  return {
    cost: read('cost'),
    tokens: 'input' in row ? tokens : null,
    time: read('time'),
    toolTime: read('tool_time'),
    interactions: read('interactions'),
    calls: read('calls'),
    failures: { interactions: read('failed_interactions'), calls: read('failed_calls') },
  }
}

/** All together; what nobody told is nothing, but for the cost. */
function addUp(rows: readonly UsageSums[]): UsageSums {
  const sum = (read: (row: UsageSums) => number | null | undefined) =>
    rows.reduce((all, row) => all + (read(row) ?? 0), 0)
  return {
    cost: rows.some(({ cost }) => cost !== null) ? sum(({ cost }) => cost) : null,
    tokens: {
      input: sum(({ tokens }) => tokens?.input),
      output: sum(({ tokens }) => tokens?.output),
      cacheRead: sum(({ tokens }) => tokens?.cacheRead),
      cacheWrite: sum(({ tokens }) => tokens?.cacheWrite),
    },
    time: sum(({ time }) => time),
    toolTime: sum(({ toolTime }) => toolTime),
    interactions: sum(({ interactions }) => interactions),
    calls: sum(({ calls }) => calls),
    failures: {
      interactions: sum(({ failures }) => failures.interactions),
      calls: sum(({ failures }) => failures.calls),
    },
  }
}

async function readUnknown(tables: Tables, { from, to, without = [] }: Ranged) {
  const inTime = (table: string, at: string) =>
    `${at} >= ?1 and ${at} < ?2 and ${isCounted} and ${isOfOthers(table, 3)}`
  const [row] = await tables.read(
    `with worked as (select distinct session from interaction where ${inTime('interaction', 'start_at')}),
       priced as (select distinct session from spent where ${inTime('spent', 'at')} and cost is not null)
     select (select count(*) from worked) as sessions,
       (select count(*) from worked where session not in priced) as unpriced,
       (select count(*) from spent where ${inTime('spent', 'at')} and cost is null) as messages`,
    [from, to, JSON.stringify(without)],
  )
  const read = (name: string) => Number(row?.[name] ?? 0)
  return { worked: read('sessions'), sessions: read('unpriced'), messages: read('messages') }
}
