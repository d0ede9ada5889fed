import type { ConditionalPrice, ModelPrice, PriceCalculation, TieredPrices } from '@pydantic/genai-prices'
import type { PriceBook, Rates } from './price-book.ts'

/** The version of the price table, and the day on which it was published. A test compares it with the installed one. */
export const tableVersion = '0.1.8'
/** The day on which the table was published. */
export const tableDate = '2026-09-23'

type Find = (model: string, at: number) => PriceCalculation | null

/** Remembers the models whose prices never change. */
function remembering(find: Find): Find {
  const known = new Map<string, PriceCalculation | null>()
  return (model, at) => {
    const before = known.get(model)
    if (before !== undefined) return before
    const found = find(model, at)
    if (found === null || !Array.isArray(found.model.prices)) known.set(model, found)
    return found
  }
}

/** Prices from the table in `@pydantic/genai-prices`, which is part of the installation: nothing is downloaded. */
export async function openPriceTable(): Promise<PriceBook> {
  // Loaded when costs are needed: it is large.
  const { calcPrice } = await import('@pydantic/genai-prices')
  const find = remembering((model, at) => {
    for (const { name, provider } of namesOf(model)) {
      const options = { timestamp: new Date(at), ...(provider !== undefined && { providerId: provider }) }
      const found = calcPrice({}, name, options)
      if (found !== null) return found
    }
    return null
  })
  return {
    date: tableDate,
    cutsOf(models) {
      const found = models.flatMap(model => pricesIn(find(model, 0)))
      const prices = found.flatMap(each => (isConditional(each) ? [each.prices] : [each]))
      const constraints = found.flatMap(each => (isConditional(each) ? (each.constraint ?? []) : []))
      return {
        contexts: distinct(prices.flatMap(tiersIn)),
        moments: distinct(
          constraints.flatMap(each => ('start_date' in each ? Date.parse(each.start_date) : [])),
        ),
        daytimes: distinct(
          constraints.flatMap(each =>
            'start_time' in each ? [timeOf(each.start_time), timeOf(each.end_time)] : [],
          ),
        ),
      }
    },
    ratesOf(model, at, context) {
      const found = find(model, at)
      return found === null ? null : ratesIn(found.model_price, context)
    },
  }
}

/**
 * The names under which a model may be in the table. Agents write "anthropic/claude-opus-4-5", "claude-opus-4-6[1m]" or
 * "openrouter/anthropic/claude-sonnet-4.5".
 */
function namesOf(model: string): readonly { readonly name: string; readonly provider?: string }[] {
  const whole = model.trim()
  const plain = whole.endsWith(']') ? whole.slice(0, Math.max(0, whole.lastIndexOf('['))) : whole
  const [provider = '', ...rest] = plain.split('/')
  // A name like "deepseek-r1:8b" is that of a model on this machine.
  if (rest.length === 0) return plain.includes(':') ? [] : [{ name: plain }]
  return [{ provider, name: rest.join('/') }, ...namesOf(rest.join('/'))]
}

const pricesIn = (found: PriceCalculation | null): readonly (ConditionalPrice | ModelPrice)[] => {
  if (found === null) return []
  const { prices } = found.model
  return Array.isArray(prices) ? prices : [prices]
}

const isConditional = (price: ConditionalPrice | ModelPrice): price is ConditionalPrice =>
  typeof price['prices'] === 'object' && !('tiers' in price['prices'])

const isTiered = (price: number | TieredPrices | undefined): price is TieredPrices =>
  typeof price === 'object' && price !== null

const tiersIn = (price: ModelPrice) =>
  Object.values(price)
    .filter(isTiered)
    .flatMap(({ tiers }) => tiers.map(({ start }) => start))

const distinct = (values: readonly number[]) => [...new Set(values)].toSorted((one, other) => one - other)

/** A time of day ("16:30:00Z") in milliseconds. */
const timeOf = (text: string) => Date.parse(`1970-01-01T${text}`)

/** The prices of each kind of token; where the table has none, the tokens cost as much as other input. */
function ratesIn(price: ModelPrice, context: number): Rates | null {
  const read = (name: string): number | undefined => {
    const found = price[name]
    if (!isTiered(found)) return found
    return found.tiers.reduce((rate, { start, price: next }) => (context > start ? next : rate), found.base)
  }
  const input = read('input_mtok')
  const output = read('output_mtok')
  if (input === undefined || output === undefined) return null
  const cacheRead = read('cache_read_mtok') ?? input
  const cacheWrite = read('cache_write_5m_mtok') ?? read('cache_write_mtok') ?? input
  return { input, output, cacheRead, cacheWrite, cacheWriteHour: read('cache_write_1h_mtok') ?? cacheWrite }
}
