import type { UsageRow } from 'dragoman/client/usage'
import { binOf, binsBetween, widthOf, type Bin } from './bins.ts'

/** One of the things that are stacked: a value for each bin. */
export interface Series {
  readonly name: string
  readonly values: readonly number[]
  readonly total: number
}

/** Columns over time. */
export interface Stack {
  readonly bins: readonly Bin[]
  readonly series: readonly Series[]
}

/** Which series a row belongs to, and how much it adds. */
export interface Reading {
  readonly nameOf: (row: UsageRow) => string
  readonly valueOf: (row: UsageRow) => number
}

/** The first and the last day that are shown. */
export interface Span {
  readonly first: string
  readonly last: string
}

const dayMs = 86_400_000
const mostSeries = 5

/** Rows of days as stacked columns, largest series first; small ones become "others". */
export function stackOf(rows: readonly UsageRow[], span: Span, reading: Reading, locale?: string): Stack {
  const bins = binsBetween(span.first, span.last, locale)
  const width = widthOf((Date.parse(span.last) - Date.parse(span.first)) / dayMs + 1)
  const places = new Map(bins.map(({ day }, index) => [day, index]))
  const found = new Map<string, number[]>()
  for (const row of rows) {
    const place = places.get(binOf(row.day ?? '', width))
    const value = reading.valueOf(row)
    if (place === undefined || value === 0) continue
    const name = reading.nameOf(row)
    const values = found.get(name) ?? bins.map(() => 0)
    values[place] = (values[place] ?? 0) + value
    found.set(name, values)
  }
  const all = Array.from(found, ([name, values]) => ({ name, values, total: sum(values) }))
  return { bins, series: withOthers(all.toSorted((one, other) => other.total - one.total)) }
}

function withOthers(series: readonly Series[]): readonly Series[] {
  if (series.length <= mostSeries + 1) return series
  const rest = series.slice(mostSeries)
  const values = rest[0]?.values.map((_, index) => sum(rest.map(each => each.values[index] ?? 0))) ?? []
  return [...series.slice(0, mostSeries), { name: `${rest.length} others`, values, total: sum(values) }]
}

/** The height of each column. */
export const heightsOf = ({ bins, series }: Stack): readonly number[] =>
  bins.map((_, index) => sum(series.map(({ values }) => values[index] ?? 0)))

const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)
