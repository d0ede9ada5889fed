import type { Score } from './replay.ts'

/** One policy in the table and the JSON; savings and losses as fractions. */
export interface PolicyReport {
  readonly name: string
  readonly messageTokens: number
  readonly messageTokensSaved: number
  /** With a cache of five minutes. */
  readonly costSaved: number
  readonly editsLost: number
  readonly over160k: number
  readonly cacheBreaksPerRequest: number
  readonly costSavedOneHour: number
  readonly costSavedNoCache: number
  readonly editsSplit: number
  readonly identifiersLost: number
  /** Null for rules of others, which are not compiled by the product. */
  readonly compileMilliseconds: { readonly mean: number; readonly slowest: number } | null
}

/** All that a run found. */
export interface Report {
  readonly sessions: number
  readonly requests: number
  readonly policies: readonly PolicyReport[]
}

/** Puts the scores beside the first of them, which sends everything. */
export function reportOf(scores: readonly Score[], sessions: number, requests: number): Report {
  const [base] = scores
  if (base === undefined) return { sessions, requests, policies: [] }
  return { sessions, requests, policies: scores.map(score => policyReport(score, base, requests)) }
}

function policyReport(score: Score, base: Score, requests: number): PolicyReport {
  const { policy, usage, hourly, losses, milliseconds, slowest } = score
  return {
    name: policy.name,
    messageTokens: Math.round(usage.messageTokens),
    messageTokensSaved: saved(usage.messageTokens, base.usage.messageTokens),
    costSaved: saved(usage.cost, base.usage.cost),
    editsLost: share(losses.editsLost, losses.edits),
    over160k: usage.tooLarge,
    cacheBreaksPerRequest: share(usage.warmBreaks, requests),
    costSavedOneHour: saved(hourly.cost, base.hourly.cost),
    costSavedNoCache: saved(usage.costUncached, base.usage.costUncached),
    editsSplit: share(losses.editsSplit, losses.edits),
    identifiersLost: share(losses.identifiersLost, losses.identifiers),
    compileMilliseconds: policy.isOurs ? { mean: share(milliseconds, requests), slowest } : null,
  }
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const saved = (now: number, before: number) => (before === 0 ? 0 : 1 - now / before)
