import type { Row, Tables } from '../../journal/sqlite/tables.ts'
import { DragomanError } from '../../protocol/error.ts'
import { blocksIn } from '../blocks.ts'
import type { AgentLimit, Grouping, UsageFilter, UsageRead } from '../read-usage.ts'
import { addUp, gather, type Naming } from './gather-usage.ts'
import { chargeGroups, readCharges } from './read-charges.ts'
import { groupSql, isCounted, isOfOthers, parametersOf, type Ranged } from './usage-sql.ts'
import { usageSources, type UsageSource } from './usage-sources.ts'

const usualRows = 10_000

/** Sums up usage across sessions. */
export async function readUsage(tables: Tables, filter: UsageFilter): Promise<UsageRead> {
  const { first, last } = await reachOf(tables)
  const from = filter.from ?? Math.min(first, filter.to)
  // Offsets of the time zone are computed only for the time with usage, however long the requested time is.
  const ranged = {
    ...filter,
    by: withSession(filter.by),
    from: Math.max(from, first),
    to: Math.min(filter.to, last + 1),
  }
  const sources = usageSources(filter.by)
  const canTell = ({ groups }: Pick<UsageSource, 'groups'>) => filter.by.every(name => name in groups)
  const hasCharges = canTell({ groups: chargeGroups })
  if (!hasCharges && !sources.some(canTell)) throw cannotGroup(filter.by)
  const [blocks, groups, charges, others, { worked, ...unknown }, limits] = await Promise.all([
    filter.by.includes('block') ? readBlocks(tables, ranged) : [],
    Promise.all(sources.filter(canTell).map(source => readSource(tables, source, ranged))),
    hasCharges ? readCharges(tables, ranged) : [],
    readOthers(tables, ranged, canTell, hasCharges),
    readUnknown(tables, ranged),
    readLimits(tables),
  ])
  const naming: Naming = { zone: filter.zone, blocks }
  const rows = gather(ranged.by, groups, charges, naming)
  checkRows(rows.length, filter)
  // A call that changes two files is in two rows, and counts once.
  const counted = countsTwice(filter.by) ? [] : rows
  const total = addUp([...counted, ...gather([], others.sources, others.charges, naming)])
  return { from, to: filter.to, rows, total: { ...total, sessions: worked }, limits, unknown }
}

/** An interaction is shown with its session. */
const withSession = (by: readonly Grouping[]): readonly Grouping[] =>
  by.includes('interaction') && !by.includes('session') ? [...by, 'session'] : by

const countsTwice = (by: readonly Grouping[]) => by.includes('file') || by.includes('reason')

function cannotGroup(by: readonly Grouping[]): DragomanError {
  const names = by.join(' and ')
  const about = by.some(name => name === 'file' || name === 'reason')
    ? 'only cost and tokens have a model, and only calls have a tool, a file or a reason for failing.'
    : 'only cost and tokens have a model, and only calls have a tool.'
  return new DragomanError('invalid-input', `Cannot group by ${names} together: ${about}`)
}

function checkRows(count: number, { mostRows = usualRows }: UsageFilter): void {
  if (count <= mostRows) return
  throw new DragomanError(
    'invalid-input',
    `The result has more than ${mostRows} rows. Choose a shorter period, or group by fewer fields.`,
  )
}

/** The sums that are only in the total. */
async function readOthers(
  tables: Tables,
  ranged: Ranged,
  canTell: (source: UsageSource) => boolean,
  hasCharges: boolean,
) {
  const whole = { ...ranged, by: [] }
  const isTwice = countsTwice(ranged.by)
  const sources = isTwice ? usageSources([]) : usageSources(ranged.by).filter(source => !canTell(source))
  return {
    sources: await Promise.all(sources.map(source => readSource(tables, source, whole))),
    charges: hasCharges && !isTwice ? [] : await readCharges(tables, whole),
  }
}

/** The first and the last moment with usage. */
async function reachOf(tables: Tables) {
  const [row] = await tables.read(
    // Each of these is read from the end of an index.
    `select min(at) as first, max(at) as last from (
       select min(at) as at from spent union all select max(at) from spent
       union all select max(at) from model_request
       union all select min(start_at) from interaction union all select max(start_at) from interaction
       union all select min(start_at) from tool_call union all select max(start_at) from tool_call)`,
    [],
  )
  return { first: Number(row?.['first'] ?? 0), last: Number(row?.['last'] ?? 0) }
}

async function readSource(tables: Tables, source: UsageSource, filter: Ranged): Promise<readonly Row[]> {
  const { from, table, at, groups, sums, where } = source
  const { mostRows = usualRows, by } = filter
  const { columns, places, join } = groupSql(filter, groups, at)
  const conditions = [
    `${at} >= ?1 and ${at} < ?2 and ?3 is not null`,
    ...(where === undefined ? [] : [where]),
    `${isCounted(table)} and ${isOfOthers(table, 4)}`,
  ]
  const rows = await tables.read(
    `select ${[...columns, sums].join(', ')} from ${from} ${join} where ${conditions.join(' and ')}
     ${by.length > 0 ? `group by ${places.join(', ')} order by ${places.join(', ')}` : ''} limit ${mostRows * manyToOne + 1}`,
    parametersOf(filter),
  )
  checkRows(rows.length, { ...filter, mostRows: mostRows * manyToOne })
  return rows
}

/** Hours become blocks, and errors become reasons, only here: there may be more rows before that. */
const manyToOne = 10

/** The beginnings of all blocks, of the time before the asked one, too: a block goes on from there. */
async function readBlocks(tables: Tables, { to, without = [] }: Ranged): Promise<readonly number[]> {
  const hoursOf = (table: string, at: string) =>
    `select ${at} / 3600000 * 3600000 as hour from ${table}
     where ${at} < ?1 and ${isCounted(table)} and ${isOfOthers(table, 2)}`
  const rows = await tables.read(
    `${hoursOf('spent', 'spent.at')} union ${hoursOf('interaction', 'interaction.start_at')}
     union ${hoursOf('tool_call', 'tool_call.start_at')}
     union select request.at / 3600000 * 3600000 from model_request as request cross join spent
       on spent.session = request.session and spent.message = request.message and spent.thread = request.thread
       where request.at < ?1 and ${isCounted('spent')} and ${isOfOthers('spent', 2)}
     order by 1`,
    [to, JSON.stringify(without)],
  )
  return blocksIn(rows.map(({ hour }) => Number(hour)))
}

async function readLimits(tables: Tables): Promise<readonly AgentLimit[]> {
  const rows = await tables.read('select * from usage_limit order by agent, name', [])
  return rows.map(row => ({
    agent: String(row['agent']),
    name: String(row['name']),
    used: row['used'] as number | null,
    resetsAt: row['resets_at'] as number | null,
    isReached: row['reached'] === 1,
    at: Number(row['at']),
  }))
}

async function readUnknown(tables: Tables, filter: Ranged) {
  const inTime = (table: string, at: string) =>
    `${table}.${at} >= ?1 and ${table}.${at} < ?2 and ?3 is not null and ${isCounted(table)} and ${isOfOthers(table, 4)}`
  const [row] = await tables.read(
    `with worked as (select distinct session from interaction where ${inTime('interaction', 'start_at')}),
       priced as (select distinct session from spent where ${inTime('spent', 'at')} and cost is not null)
     select (select count(*) from worked) as sessions,
       (select count(*) from worked where session not in priced) as unpriced,
       (select count(*) from spent where ${inTime('spent', 'at')} and cost is null) as messages`,
    parametersOf(filter),
  )
  const read = (name: string) => Number(row?.[name] ?? 0)
  return { worked: read('sessions'), sessions: read('unpriced'), messages: read('messages') }
}
