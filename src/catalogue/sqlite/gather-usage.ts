import type { Cell, Row } from '../../journal/sqlite/tables.ts'
import type { Tokens } from '../../protocol/data-parts.ts'
import { blockAt } from '../blocks.ts'
import type { Charge } from '../charges.ts'
import { nameOfDay, nameOfHour, type Zone } from '../days.ts'
import { reasonClass } from '../reason-class.ts'
import type { Grouping, UsageGroup, UsageRow, UsageSums } from '../read-usage.ts'

/** What is needed to name groups. */
export interface Naming {
  readonly zone: Zone
  /** The beginnings of blocks. */
  readonly blocks: readonly number[]
}

/** What is known of a group so far. */
interface Draft {
  readonly group: UsageGroup
  cells: Row
  readonly charges: Charge[]
  span: { readonly first: number; readonly last: number } | null
}

/** Merges the rows of several sources, and their charges, for the same group. */
export function gather(
  by: readonly Grouping[],
  sources: readonly (readonly Row[])[],
  charges: readonly Row[],
  naming: Naming,
): readonly UsageRow[] {
  const found = new Map<string, Draft>()
  const draftOf = (row: Row): Draft => {
    const group = groupOf(by, row, naming)
    const key = JSON.stringify(by.map(name => group[name]))
    const draft = found.get(key) ?? { group, cells: {}, charges: [], span: null }
    found.set(key, draft)
    return draft
  }
  for (const row of sources.flat()) {
    const draft = draftOf(row)
    draft.cells = merged(by, draft.cells, row)
  }
  for (const row of charges) {
    const draft = draftOf(row)
    draft.charges.push(chargeIn(row))
    draft.span = spanOf(draft.span, row)
    if (row['title'] !== undefined) draft.cells = { ...draft.cells, title: row['title'] }
  }
  return [...found.values()].map(draft => rowOf(by, draft)).toSorted(inTime)
}

/** Hours and blocks are in order; other rows are as they were found. */
function inTime(one: UsageRow, other: UsageRow): number {
  const at = ({ hour, block = hour }: UsageRow) => (block === undefined ? 0 : Date.parse(block))
  return at(one) - at(other)
}

const rowOf = (by: readonly Grouping[], { group, cells, charges, span }: Draft): UsageRow => ({
  ...group,
  ...(by.includes('session') && { title: (cells['title'] ?? null) as string | null }),
  ...(by.includes('interaction') && cells['start_seq'] && { startSeq: Number(cells['start_seq']) }),
  ...(by.includes('block') && span !== null && { span }),
  ...sumsOf(cells, charges.length === 0 ? null : charges),
})

/** Adds up the sums of two rows of a group; rows of one source become one when hours become blocks. */
function merged(by: readonly Grouping[], before: Row, row: Row): Row {
  const cells: Record<string, Cell> = { ...before }
  for (const [name, value] of Object.entries(row)) {
    if (by.includes(name as Grouping) || value === null) continue
    const known = cells[name]
    const isSum = typeof known === 'number' && typeof value === 'number' && name !== 'start_seq'
    cells[name] = isSum ? known + value : value
  }
  return cells
}

const groupOf = (by: readonly Grouping[], row: Row, naming: Naming): UsageGroup =>
  Object.fromEntries(by.map(name => [name, nameOf(name, row[name] ?? null, naming)]))

function nameOf(name: Grouping, value: Cell, { zone, blocks }: Naming): Cell {
  if (name === 'day') return nameOfDay(Number(value))
  if (name === 'hour') return nameOfHour(zone, Number(value))
  if (name === 'block') return nameOfHour(zone, blockAt(blocks, Number(value)))
  return name === 'reason' && value !== null ? reasonClass(String(value)) : value
}

function spanOf(before: Draft['span'], row: Row): Draft['span'] {
  const [first, last] = [Number(row['first']), Number(row['last'])]
  if (before === null) return { first, last }
  return { first: Math.min(first, before.first), last: Math.max(last, before.last) }
}

/** The charge in a row of tokens. */
export const chargeIn = (row: Row): Charge => ({
  model: (row['priced'] ?? null) as string | null,
  reported: row['reported'] === 1,
  tokens: {
    input: Number(row['input']),
    output: Number(row['output']),
    cacheRead: Number(row['cache_read']),
    cacheWrite: Number(row['cache_write']),
  },
  hourWrites: Number(row['hour_writes']),
  at: Number(row['first']),
  context: Number(row['context']),
})

function sumsOf(row: Row, charges: readonly Charge[] | null): UsageSums {
  const read = (name: string) => (row[name] ?? null) as number | null
  const added = read('lines_added')
  return {
    cost: read('cost'),
    tokens: charges && tokensOf(charges),
    charges,
    time: read('time'),
    toolTime: read('tool_time'),
    waitTime: read('wait_time'),
    interactions: read('interactions'),
    calls: read('calls'),
    failures: { interactions: read('failed_interactions'), calls: read('failed_calls') },
    lines: added === null ? null : { added, removed: read('lines_removed') ?? 0 },
  }
}

function tokensOf(charges: readonly Charge[]): Tokens {
  const sum = (name: keyof Tokens) => charges.reduce((all, { tokens }) => all + tokens[name], 0)
  return {
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
  }
}

/** The total. Unknown sums count as 0, but an unknown cost stays unknown. */
export function addUp(rows: readonly UsageSums[]): UsageSums {
  const sum = (read: (row: UsageSums) => number | null | undefined) =>
    rows.reduce((all, row) => all + (read(row) ?? 0), 0)
  const charges = rows.flatMap(row => row.charges ?? [])
  return {
    cost: rows.some(({ cost }) => cost !== null) ? sum(({ cost }) => cost) : null,
    tokens: tokensOf(charges),
    charges,
    time: sum(({ time }) => time),
    toolTime: sum(({ toolTime }) => toolTime),
    waitTime: sum(({ waitTime }) => waitTime),
    interactions: sum(({ interactions }) => interactions),
    calls: sum(({ calls }) => calls),
    failures: {
      interactions: sum(({ failures }) => failures.interactions),
      calls: sum(({ failures }) => failures.calls),
    },
    lines: { added: sum(({ lines }) => lines?.added), removed: sum(({ lines }) => lines?.removed) },
  }
}
