import type { Tokens } from '../../protocol/data-parts.ts'
import { numberOf, objectOf, type Fields } from '../kit/fields.ts'
import type { Op } from '../kit/parts.ts'

/** The usage of an answer so far. */
export interface Used {
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cost: number
}

/** Adds the usage of one request to the model. */
export function withStep(used: Used, step: Fields): Used {
  const tokens = objectOf(step, 'tokens')
  const cache = objectOf(tokens, 'cache')
  return {
    input: used.input + numberOf(tokens, 'input'),
    output: used.output + numberOf(tokens, 'output'),
    reasoning: used.reasoning + numberOf(tokens, 'reasoning'),
    cacheRead: used.cacheRead + numberOf(cache, 'read'),
    cacheWrite: used.cacheWrite + numberOf(cache, 'write'),
    cost: used.cost + numberOf(step, 'cost'),
  }
}

/** The tokens as we count them: OpenCode leaves thinking out of the output, here it is included. */
export function tokensOf({ input, output, reasoning, cacheRead, cacheWrite }: Used): Tokens {
  return { input, output: output + reasoning, cacheRead, cacheWrite }
}

/** A sum of small fractions, without rounding errors. */
export const costOf = ({ cost }: Used): number => Number(cost.toFixed(9))

/** Shows the usage of the message so far. */
export function usageOp(used: Used, model: string | null): Op {
  const data = { tokens: tokensOf(used), cost: costOf(used), model }
  return { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }
}
