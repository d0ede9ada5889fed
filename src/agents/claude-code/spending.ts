import type { SessionTotals, Tokens } from '../../protocol/data-parts.ts'
import { noTokens, numberOf, sumOf, tokensOf, fieldsOf, type Fields } from './messages.ts'
import { remember, type Amount, type Draft, type Spending } from './state.ts'

/**
 * Counts the usage of a result once: the result of an answer, or of background work that ends while an answer is
 * awaited. Newer releases report the usage since the last result; older ones only the session's totals, which
 * continue after a resume.
 */
export function settle(draft: Draft, fields: Fields): void {
  const { spending } = draft.state
  const { settled, done, request } = spending
  const { tokens, cost } = amountOf(spending, fields)
  // An aborted request is not in every sum; the result's own usage or the stream has its tokens.
  const asked = [tokens, ownOf(fields), sumOf(done, request)].reduce(mostOf)
  remember(draft, {
    spending: {
      settled: {
        tokens: sumOf(settled.tokens, asked),
        cost: settled.cost === null ? cost : settled.cost + (cost ?? 0),
      },
      done: noTokens,
      request: noTokens,
      model: modelIn(fields) ?? spending.model,
      totals: nextTotals(spending.totals, totalsIn(fields)),
    },
  })
}

function amountOf(spending: Spending, fields: Fields): Amount {
  const since = modelsIn(fields, 'model_usage_since_last_result')
  if (since === null) return growthOf(spending.totals, fields)
  const cost = since.reduce((sum, model) => sum + (numberOf(model['costUSD']) ?? 0), 0)
  return { tokens: since.map(tokensOfModel).reduce(sumOf, noTokens), cost }
}

/**
 * The growth of the totals. An agent that was killed, or that copied a session, counts on from older totals or from
 * zero: from the newest that leave room for the result's own usage.
 */
function growthOf(before: SessionTotals | null, fields: Fields): Amount {
  const own = ownOf(fields)
  const totals = totalsIn(fields)
  if (before === null || totals === null) return { tokens: own, cost: null }
  for (const base of [before, ...(before.earlier ?? []), { tokens: noTokens, cost: 0 }]) {
    const grown = base.tokens && totals.tokens ? minus(totals.tokens, base.tokens) : own
    if (covers(grown, own)) return { tokens: grown, cost: costBetween(base.cost, totals.cost) }
  }
  return { tokens: own, cost: null }
}

/** The usage of a result's requests, without those of subagents. */
const ownOf = (fields: Fields): Tokens => tokensOf(fieldsOf(fields['usage']) ?? {})

function costBetween(before: number | null, after: number | null): number | null {
  if (before === null || after === null) return null
  return after >= before ? after - before : after
}

/** The session's totals at a result; null when it reports none. */
function totalsIn(fields: Fields): SessionTotals | null {
  const models = modelsIn(fields, 'modelUsage') ?? []
  const tokens = models.length === 0 ? null : models.map(tokensOfModel).reduce(sumOf, noTokens)
  const cost = numberOf(fields['total_cost_usd'])
  return tokens === null && cost === null ? null : { tokens, cost }
}

/** The totals from which the next result is counted. */
function nextTotals(before: SessionTotals | null, reported: SessionTotals | null): SessionTotals | null {
  if (reported === null) return before
  return before?.earlier === undefined ? reported : { ...reported, earlier: before.earlier }
}

function modelsIn(fields: Fields, name: string): readonly Fields[] | null {
  const models = fieldsOf(fields[name])
  return models === null ? null : Object.values(models).map(each => fieldsOf(each) ?? {})
}

function tokensOfModel(model: Fields): Tokens {
  return {
    input: numberOf(model['inputTokens']) ?? 0,
    output: numberOf(model['outputTokens']) ?? 0,
    cacheRead: numberOf(model['cacheReadInputTokens']) ?? 0,
    cacheWrite: numberOf(model['cacheCreationInputTokens']) ?? 0,
  }
}

function minus(after: Tokens, before: Tokens): Tokens {
  return {
    input: after.input - before.input,
    output: after.output - before.output,
    cacheRead: after.cacheRead - before.cacheRead,
    cacheWrite: after.cacheWrite - before.cacheWrite,
  }
}

function mostOf(one: Tokens, other: Tokens): Tokens {
  return {
    input: Math.max(one.input, other.input),
    output: Math.max(one.output, other.output),
    cacheRead: Math.max(one.cacheRead, other.cacheRead),
    cacheWrite: Math.max(one.cacheWrite, other.cacheWrite),
  }
}

const covers = (one: Tokens, other: Tokens): boolean => {
  const { input, output, cacheRead, cacheWrite } = minus(one, other)
  return Math.min(input, output, cacheRead, cacheWrite) >= 0
}

/** The model that did all of it; null when there were several. */
function modelIn(fields: Fields): string | null {
  const models = Object.keys(fieldsOf(fields['model_usage_since_last_result']) ?? {})
  return models.length === 1 ? (models[0] ?? null) : null
}
