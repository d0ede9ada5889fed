import type { Usage, UsageRow } from 'dragoman/client/usage'

/** Costs of which nothing is known. */
export const noCosts: UsageRow['costs'] = { reported: null, estimated: null, pricesOf: null }

/** A row of usage in which only this is known. */
export const rowWith = (known: Partial<UsageRow> = {}): UsageRow => ({
  cost: known.costs?.reported ?? null,
  costs: noCosts,
  cache: { hitRate: null, saved: null },
  tokens: null,
  time: null,
  toolTime: null,
  waitTime: null,
  interactions: null,
  calls: null,
  failures: { interactions: null, calls: null },
  lines: null,
  ...known,
})

/** A reply with these rows. */
export const usageWith = (
  rows: readonly UsageRow[],
  total: Partial<Usage['total']> = {},
  unknown: Partial<Usage['unknown']> = {},
): Usage => ({
  from: 0,
  to: 1,
  rows: [...rows],
  total: { ...rowWith(), cost: null, sessions: 0, ...total },
  limits: [],
  unknown: { sessions: 0, messages: 0, models: [], waiting: 0, ...unknown },
})
