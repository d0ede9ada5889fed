import type { UsageRow } from './read-usage.ts'

/** The costs of a row, what agents reported and what is estimated apart. */
export type Costs = UsageRow['costs']

/** What something cost, reported and estimated together; null where neither is known. */
export const wholeCost = ({ reported, estimated }: Costs): number | null =>
  reported === null && estimated === null ? null : (reported ?? 0) + (estimated ?? 0)

/** Costs in words: "$12.40, of which $3.10 estimated with prices of 2026-11-01"; null where none is known. */
export function costWords(costs: Costs, write: (dollars: number) => string): string | null {
  const { reported, estimated, pricesOf } = costs
  const whole = wholeCost(costs)
  if (whole === null) return null
  if (estimated === null) return write(whole)
  const prices = pricesOf === null ? 'with your prices' : `with prices of ${pricesOf}`
  if (reported === null) return `${write(whole)}, estimated ${prices}`
  return `${write(whole)}, of which ${write(estimated)} estimated ${prices}`
}
