import { blockMs } from '../../catalogue/blocks.ts'
import { endOfDay, startOfDay, zoneOf } from '../../catalogue/days.ts'
import type { Grouping, UsageRow, UsageSums } from '../../catalogue/read-usage.ts'
import type { Journal } from '../../journal/journal.ts'
import type { OpenPriceBook } from '../../prices/open-price-book.ts'
import type { PriceBook } from '../../prices/price-book.ts'
import { cacheUseOf, costsOf, unknownModels } from '../../prices/price-usage.ts'
import type { Received, Replied } from '../../protocol/api/api.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { DeepReadonly } from '../deep-readonly.ts'
import { mostPrompts, promptText } from '../prompt-text.ts'
import { burnOf } from './burn-of.ts'

/** A report of usage, as in replies of the API. */
export type UsageReport = DeepReadonly<Replied<'getUsage'>>
type ReportRow = UsageReport['rows'][number]

/** What a report needs. */
export interface UsageParts {
  readonly sessions: Pick<Sessions, 'usage'>
  readonly journal: Pick<Journal, 'read'>
  readonly openPrices: OpenPriceBook
  readonly now: () => number
}

const isDay = (text: string) => text.includes('-')
/** Rows of which only the most expensive are shown. */
const mostRanked = 200_000
/** A limit whose end is unknown is shown for a week. */
const longestLimitMs = 7 * 86_400_000

/** Reports usage across sessions, with what agents reported and what is estimated. */
export async function reportUsage(
  parts: UsageParts,
  query: Received<'getUsage'>['query'],
): Promise<UsageReport> {
  const { from, to, top, by = ['day'] } = query
  const zone = zoneOf(query.zone ?? 'UTC')
  const now = parts.now()
  const book = await parts.openPrices()
  const { waiting, unknown, rows, total, limits, ...period } = await parts.sessions.usage({
    ...(from !== undefined && { from: isDay(from) ? startOfDay(zone, from) : Number(from) }),
    to: to === undefined ? now + 1 : isDay(to) ? endOfDay(zone, to) : Number(to),
    zone,
    by,
    demo: query.demo !== undefined,
    cutsOf: models => book.cutsOf(models),
    ...(top !== undefined && { mostRows: mostRanked }),
  })
  const shown = ranked(
    rows.map(row => rowOf(row, by, book, now)),
    top,
  )
  const starts = new Map(rows.map(row => [placeOf(row), row.startSeq]))
  const { sessions, ...sums } = total
  return {
    ...period,
    rows: await withPrompts(parts.journal, shown, starts),
    total: { ...pricedSums(sums, book), cost: sums.cost, sessions },
    limits: limits.filter(({ resetsAt, at }) => (resetsAt ?? at + longestLimitMs) > now),
    unknown: { ...unknown, models: [...unknownModels(sums.charges ?? [], book)], waiting },
  }
}

/** The groupings whose rows have had a plain number as their cost from the beginning. */
const firstGroupings: ReadonlySet<Grouping> = new Set(['day', 'agent', 'model', 'folder', 'tool'])

function rowOf(row: UsageRow, by: readonly Grouping[], book: PriceBook, now: number): ReportRow {
  const { span, startSeq: _, cost, charges: _charges, ...rest } = row
  const sums = pricedSums(row, book)
  const { block } = row
  const burn =
    block === undefined || span === undefined ? null : burnOf(sums, span, Date.parse(block) + blockMs, now)
  return {
    ...rest,
    ...sums,
    ...(burn !== null && { burn }),
    cost: by.every(name => firstGroupings.has(name)) ? cost : sums.costs,
  }
}

function pricedSums(sums: UsageSums, book: PriceBook) {
  const { cost: _, charges: _charges, ...rest } = sums
  return { ...rest, costs: costsOf(sums, book), cache: cacheUseOf(sums, book) }
}

/** What a row cost: what was reported and what is estimated. */
const totalCost = ({ costs: { reported, estimated } }: Pick<ReportRow, 'costs'>) =>
  (reported ?? 0) + (estimated ?? 0)

/** The first rows by cost; where no row has a cost, such as by tool, by calls. */
function ranked(rows: readonly ReportRow[], top: number | undefined): readonly ReportRow[] {
  if (top === undefined) return rows
  const isByCost = rows.some(row => totalCost(row) > 0)
  const rankOf = (row: ReportRow) => (isByCost ? totalCost(row) : (row.calls ?? 0))
  return rows
    .filter(row => rankOf(row) > 0)
    .toSorted((one, other) => rankOf(other) - rankOf(one))
    .slice(0, top)
}

const placeOf = ({ session, interaction }: Pick<ReportRow, 'session' | 'interaction'>) =>
  `${session} ${interaction}`

/** Adds the prompts, which are only in the journal. */
async function withPrompts(
  journal: Pick<Journal, 'read'>,
  rows: readonly ReportRow[],
  starts: ReadonlyMap<string, number | undefined>,
): Promise<readonly ReportRow[]> {
  if (rows.length > mostPrompts) return rows
  return Promise.all(
    rows.map(async row => {
      const seq = starts.get(placeOf(row))
      if (row.session === undefined || seq === undefined) return row
      // A session that cannot be read is reported where it is opened; its costs count all the same.
      const text = await promptText(journal, row.session as SessionId, seq).catch(() => null)
      return text === null ? row : { ...row, prompt: text }
    }),
  )
}
