import type { Tokens } from '../../protocol/data-parts.ts'
import type { Op } from '../kit/parts.ts'
import { numberOf, objectOf, type Fields } from '../kit/fields.ts'

/** The sums of a thread over all its turns, as the app-server counts. */
export interface Totals {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
  /** How much of the output was thinking. */
  readonly reasoning: number
}

/** Reads the sums of the whole thread, and those before its newest request to the model. */
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

/** What was used between two sums, as the app-server counts. */
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

/** What was used between two sums. Codex counts cached tokens as input; here they stand apart. */
export function tokensBetween(before: Totals, after: Totals): Tokens {
  const { input, cached, written, output } = difference(after, before)
  const fresh = Math.max(0, input - cached - written)
  return { input: fresh, output, cacheRead: cached, cacheWrite: written }
}

/** Shows what the message has used so far. Codex never tells a price. */
export function usageOp(tokens: Tokens, model: string | null): Op {
  return { type: 'show', chunk: { type: 'data-usage', id: 'usage', data: { tokens, cost: null, model } } }
}
