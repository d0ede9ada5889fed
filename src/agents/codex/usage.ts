import type { ModelRequest, Tokens } from '../../protocol/data-parts.ts'
import type { Op } from '../kit/parts.ts'
import { numberOf, objectOf, type Fields } from '../kit/fields.ts'

/** The total usage of a thread over all its turns, as the app-server counts. */
export interface Totals {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
  /** How much of the output was thinking. */
  readonly reasoning: number
}

/** Reads the total usage of a thread, and the total before its newest request to the model. */
export function totalsOf(usage: Fields): { readonly total: Totals; readonly before: Totals } {
  const total = readTotals(objectOf(usage, 'total'))
  return { total, before: difference(total, readTotals(objectOf(usage, 'last'))) }
}

function readTotals(fields: Fields): Totals {
  return {
    input: numberOf(fields, 'inputTokens'),
    cached: numberOf(fields, 'cachedInputTokens'),
    written: numberOf(fields, 'cacheWriteInputTokens'),
    output: numberOf(fields, 'outputTokens'),
    reasoning: numberOf(fields, 'reasoningOutputTokens'),
  }
}

/** The difference between two totals, as the app-server counts. */
export function difference(after: Totals, before: Totals): Totals {
  const less = (name: keyof Totals) => Math.max(0, after[name] - before[name])
  return {
    input: less('input'),
    cached: less('cached'),
    written: less('written'),
    output: less('output'),
    reasoning: less('reasoning'),
  }
}

/** The tokens used between two totals. Codex counts cached tokens as input; here they are separate. */
export function tokensBetween(before: Totals, after: Totals): Tokens {
  const { input, cached, written, output } = difference(after, before)
  const fresh = Math.max(0, input - cached - written)
  return { input: fresh, output, cacheRead: cached, cacheWrite: written }
}

/** The request between two reports of totals; nothing if a report is repeated. The total after it is its name. */
export function requestBetween(before: Totals, after: Totals): ModelRequest | undefined {
  const tokens = tokensBetween(before, after)
  const isNothing = Object.values(tokens).every(count => count === 0)
  return isNothing ? undefined : { id: `${after.input}+${after.output}`, tokens }
}

/** Shows the usage of the message so far. Codex never reports a cost. */
export function usageOp(tokens: Tokens, model: string | null, request?: ModelRequest): Op {
  const data = { tokens, cost: null, model, ...(request && { request }) }
  return { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }
}
