import type { Charge } from '../catalogue/charges.ts'
import type { Tokens } from '../protocol/data-parts.ts'
import type { PriceBook, Rates } from './price-book.ts'

/** Costs in US dollars; what agents reported is never mixed with what is estimated here. */
export interface Costs {
  /** Null where no agent reported a cost. */
  readonly reported: number | null
  /** For tokens without a reported cost; null where there are none with a known price. */
  readonly estimated: number | null
  /** The date of the price table, if anything was estimated. */
  readonly pricesOf: string | null
}

/** How well caches were used. */
export interface CacheUse {
  /** The part of the input that was read from a cache; null without input. */
  readonly hitRate: number | null
  /** How much more the same tokens would cost without caches; null where no price is known. */
  readonly saved: number | null
}

/** A model without a price, and how many of its tokens have no cost. */
export interface UnknownModel {
  readonly model: string | null
  readonly tokens: number
}

type Priced = { readonly cost: number | null; readonly charges: readonly Charge[] | null }

/** The costs of a row of usage. */
export function costsOf({ cost, charges }: Priced, book: PriceBook): Costs {
  let estimated: number | null = null
  for (const charge of charges ?? []) {
    const rates = charge.reported ? null : ratesFor(charge, book)
    if (rates !== null) estimated = (estimated ?? 0) + priceOf(charge, rates)
  }
  return { reported: cost, estimated, pricesOf: estimated === null ? null : book.date }
}

/** How well the caches were used in a row of usage. */
export function cacheUseOf({ charges }: Pick<Priced, 'charges'>, book: PriceBook): CacheUse {
  let [read, all] = [0, 0]
  let saved: number | null = null
  for (const charge of charges ?? []) {
    const { cacheRead } = charge.tokens
    const input = inputOf(charge.tokens)
    read += cacheRead
    all += input
    const rates = ratesFor(charge, book)
    if (rates === null) continue
    const plain = (input * rates.input + charge.tokens.output * rates.output) / million
    saved = (saved ?? 0) + plain - priceOf(charge, rates)
  }
  return { hitRate: all > 0 ? read / all : null, saved }
}

/** The models whose tokens have neither a reported cost nor a price, those with the most tokens first. */
export function unknownModels(charges: readonly Charge[], book: PriceBook): readonly UnknownModel[] {
  const tokens = new Map<string | null, number>()
  for (const charge of charges) {
    const { model, reported } = charge
    if (reported || ratesFor(charge, book) !== null) continue
    tokens.set(model, (tokens.get(model) ?? 0) + inputOf(charge.tokens) + charge.tokens.output)
  }
  return Array.from(tokens, ([model, count]) => ({ model, tokens: count }))
    .filter(each => each.tokens > 0)
    .toSorted((one, other) => other.tokens - one.tokens)
}

const million = 1_000_000

const inputOf = ({ input, cacheRead, cacheWrite }: Tokens) => input + cacheRead + cacheWrite

/** The price of a charge; null for one without tokens, too, because it says nothing. */
function ratesFor({ model, tokens, at, context }: Charge, book: PriceBook): Rates | null {
  const isNothing = Object.values(tokens).every(count => count === 0)
  return model === null || isNothing ? null : book.ratesOf(model, at, context)
}

/** What the tokens of a charge cost. */
function priceOf({ tokens, hourWrites }: Charge, rates: Rates): number {
  const sum =
    tokens.input * rates.input +
    tokens.output * rates.output +
    tokens.cacheRead * rates.cacheRead +
    (tokens.cacheWrite - hourWrites) * rates.cacheWrite +
    hourWrites * rates.cacheWriteHour
  return sum / million
}
