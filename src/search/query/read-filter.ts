import { badQuery } from './bad-query.ts'
import type { Filters } from './query.ts'

const names = ['agent', 'folder', 'tool', 'file', 'before', 'after', 'status', 'cost', 'session']
const list = 'agent:, folder:, tool:, file:, session:, before:, after:, status:, cost> and cost<'

/** The words that people see for a status, and those of the API. */
const statuses: Readonly<Record<string, NonNullable<Filters['status']>>> = {
  idle: 'idle',
  done: 'idle',
  running: 'running',
  waiting: 'waiting',
  failed: 'failed',
}

/** A filter in a query; null if the text is something else. */
export function readFilter(text: string): Filters | null {
  const [, cost, limit = ''] = /^cost(>|<)=?(.*)$/.exec(text) ?? []
  if (cost !== undefined) return costFilter(cost, limit)
  // `http://…`, `C:\…`, `std::…` and `localhost:80` are not filters.
  const [, name = '', value = ''] = /^([a-z]{2,}):([^/\\:].*)?$/.exec(text) ?? []
  if (!names.includes(name)) return refuseUnknown(text, name, value)
  if (value === '')
    throw badQuery(`The filter ${name}: needs a value, such as ${examples[name] ?? `${name}:x`}.`)
  if (name === 'cost') throw badQuery('Use cost>1.50 or cost<1.50, in US dollars.')
  return filterOf(name, value)
}

const examples: Readonly<Record<string, string>> = {
  agent: 'agent:codex',
  folder: 'folder:my-project',
  tool: 'tool:Bash',
  file: 'file:main.ts',
  before: 'before:2026-11-15',
  after: 'after:2026-11-15',
  status: 'status:failed',
  cost: 'cost>1.50',
}

function refuseUnknown(text: string, name: string, value: string): null {
  if (name === '' || value === '' || /^\d/.test(value)) return null
  throw badQuery(
    `There is no filter "${name}:". The filters are ${list}. To search for this text, put it in quotes: "${text}".`,
  )
}

/** Reads the value of a filter, from a query or from a separate parameter. */
export function filterOf(name: string, value: string): Filters {
  if (name === 'before' || name === 'after') return { [name]: momentOf(name, value) }
  if (name !== 'status') return { [name]: value }
  const status = statuses[value.toLowerCase()]
  if (status === undefined)
    throw badQuery(
      `"${value}" is not a status. Use status:running, status:waiting, status:failed or status:done.`,
    )
  return { status }
}

function costFilter(sign: string, limit: string): Filters {
  const cost = Number(limit.replace(/^\$/, ''))
  if (limit === '' || !Number.isFinite(cost) || cost < 0)
    throw badQuery(`"${limit}" is not a cost. Use an amount in US dollars, such as cost${sign}1.50.`)
  return sign === '>' ? { costAbove: cost } : { costBelow: cost }
}

/** A day in UTC (its start), a time, or milliseconds since 1970. */
function momentOf(name: string, value: string): number {
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.test(
    value,
  )
  const time = /^\d{5,15}$/.test(value)
    ? Number(value)
    : isTime && isDay(value.slice(0, 10))
      ? Date.parse(inUtc(value))
      : Number.NaN
  if (Number.isNaN(time))
    throw badQuery(
      `"${value}" is not a day. Use ${name}:2026-11-15, or a time such as ${name}:2026-11-15T14:30.`,
    )
  return time
}

/** Not the 31st of February, which the parser takes for a day in March. */
function isDay(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const inUtc = (value: string) => (/^[^T]*$|Z$|[+-]\d{2}:\d{2}$/.test(value) ? value : `${value}Z`)
