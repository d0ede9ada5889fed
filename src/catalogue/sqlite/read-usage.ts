import type { Row, Tables } from '../../journal/sqlite/tables.ts'
import { DragomanError } from '../../protocol/error.ts'
import { nameOfDay, stretchesOf } from '../days.ts'
import type { Grouping, UsageFilter, UsageGroup, UsageRead, UsageRow, UsageSums } from '../read-usage.ts'

/** A table with usage: the time of a row, its groupings, and its sums. */
interface UsageSource {
  readonly table: string
  readonly at: string
  /** The SQL expression of each grouping; the day is computed from `at`. */
  readonly groups: { readonly [Name in Grouping]?: string }
  readonly sums: string
}

const cwd = 'session_summary.cwd'

/**
 * Where each sum comes from. The usage of a message counts on the day of its first report; an interaction and a tool
 * call count on the day of their start.
 */
const usageSources: readonly UsageSource[] = [
  {
    table: 'spent',
    at: 'spent.at',
    groups: { day: '', agent: 'spent.agent', model: 'spent.model', folder: cwd },
    sums: `sum(spent.cost) as cost, sum(spent.tokens_input) as input, sum(spent.tokens_output) as output,
      sum(spent.tokens_cache_read) as cache_read, sum(spent.tokens_cache_write) as cache_write`,
  },
  {
    table: 'interaction',
    at: 'interaction.start_at',
    groups: { day: '', agent: 'interaction.agent', folder: cwd },
    sums: `count(*) as interactions, coalesce(sum(outcome = 'failed'), 0) as failed_interactions,
      coalesce(sum(max(0, coalesce(stop_at, ?3) - start_at)), 0) as time`,
  },
  {
    table: 'tool_call',
    at: 'tool_call.start_at',
    groups: { day: '', agent: 'tool_call.agent', folder: cwd, tool: 'tool_call.tool' },
    sums: `count(*) as calls, coalesce(sum(tool_call.outcome = 'failure'), 0) as failed_calls,
      coalesce(sum(tool_call.duration), 0) as tool_time`,
  },
]

const mostRows = 10_000

/** Sums up usage across sessions. */
export async function readUsage(tables: Tables, filter: UsageFilter): Promise<UsageRead> {
  const { first, last } = await reachOf(tables)
  const from = filter.from ?? Math.min(first, filter.to)
  // Offsets of the time zone are computed only for the time with usage, however long the requested time is.
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

/** The first and the last moment with usage. */
async function reachOf(tables: Tables) {
  const [row] = await tables.read(
    // Each of these is read from the end of an index.
    `select min(at) as first, max(at) as last from (
       select min(at) as at from spent union all select max(at) from spent
       union all select min(start_at) from interaction union all select max(start_at) from interaction
       union all select min(start_at) from tool_call union all select max(start_at) from tool_call)`,
    [],
  )
  return { first: Number(row?.['first'] ?? 0), last: Number(row?.['last'] ?? 0) }
}

/** Copies and deleted sessions are not counted. */
const isCounted = `copied = 0 and session not in (select session from session_summary where deleted = 1)`

/** Whether the agent of a row is not in a parameter, which is a JSON array. */
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

/** The number of the day of a moment in a time zone. */
function daySql(stretches: ReturnType<typeof stretchesOf>, at: string): string {
  const offsets = stretches.map(({ until, ms }) => `when ${at} < ${until} then ${ms}`)
  return `(${at} + case ${offsets.join(' ')} end) / 86400000`
}

/** Merges the rows of several sources for the same group. */
function gather(by: readonly Grouping[], sources: readonly (readonly Row[])[]): readonly UsageRow[] {
  const found = new Map<string, Row>()
  for (const row of sources.flat()) {
    const key = JSON.stringify(by.map(name => row[name]))
    found.set(key, { ...found.get(key), ...row })
  }
  return [...found.values()].map(row => ({ ...groupOf(by, row), ...sumsOf(row) }))
}

const groupOf = (by: readonly Grouping[], row: Row): UsageGroup =>
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

/** The total. Unknown sums count as 0, but an unknown cost stays unknown. */
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
