import type { Costs, UsageRow } from 'dragoman/client/usage'

/** The costs of several rows, reported and estimated apart. */
export function addCosts(rows: readonly Pick<UsageRow, 'costs'>[]): Costs {
  const sum = (name: 'reported' | 'estimated') =>
    rows.reduce<number | null>(
      (all, { costs }) => (costs[name] === null ? all : (all ?? 0) + costs[name]),
      null,
    )
  const pricesOf = rows.find(({ costs }) => costs.pricesOf !== null)?.costs.pricesOf ?? null
  return { reported: sum('reported'), estimated: sum('estimated'), pricesOf }
}
