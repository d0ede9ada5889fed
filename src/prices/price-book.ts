import type { PriceCuts } from '../catalogue/charges.ts'

/** Dollars for a million tokens. */
export interface Rates {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** What is written to a cache to stay for an hour. */
  readonly cacheWriteHour: number
}

/** The prices of models. */
export interface PriceBook {
  /** The date of the table ("2026-09-23"); null without a table. */
  readonly date: string | null
  /** Where the prices of these models change: with the size of a request, from a date on, or with the time of day. */
  cutsOf(models: readonly string[]): PriceCuts
  /** The price of a model at a moment, for requests with this many tokens of input; null if it is unknown. */
  ratesOf(model: string, at: number, context: number): Rates | null
}
