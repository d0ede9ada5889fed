import type { Tokens } from '../../../protocol/data-parts.ts'
import type { Prices } from '../lines.ts'
import { note, noTokens, emit, type Draft, type ResponseState, type Spending } from './state.ts'

const million = 1_000_000

/** The cost of tokens; null where no price is known. */
export function costOf(tokens: Tokens, prices: Prices | null): number | null {
  if (prices === null) return null
  const { input, output, cacheRead, cacheWrite } = prices
  const sum =
    tokens.input * input +
    tokens.output * output +
    tokens.cacheRead * cacheRead +
    tokens.cacheWrite * cacheWrite
  return sum / million
}

/** The figures of one response are repeated as they grow; figures that a later one leaves out stay. */
export function newest(before: Tokens, reported: Tokens): Tokens {
  const pick = (name: keyof Tokens) => (reported[name] > 0 ? reported[name] : before[name])
  return {
    input: pick('input'),
    output: pick('output'),
    cacheRead: pick('cacheRead'),
    cacheWrite: pick('cacheWrite'),
  }
}

const plus = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
})

/** Adds the usage of a response, shows the sum in the main thread, and with the subagent whose response it was. */
export function spend(draft: Draft, id: string, { thread, tokens, model }: ResponseState): void {
  const { spent, prices, parts } = draft.state
  const sum = plus(spent, tokens)
  const cost = costOf(sum, prices)
  note(draft, { spent: sum, cost })
  const shown = { tokens: sum, cost, model: model ?? parts.session.model, request: { id, tokens } }
  emit(draft, null, [{ type: 'show', chunk: { type: 'data-usage', id: 'usage', data: shown } }])
  if (thread !== null) spendAs(draft, thread, tokens)
}

function spendAs(draft: Draft, thread: string, tokens: Tokens): void {
  const { spentBy, prices } = draft.state
  const sum = plus(spentBy.get(thread)?.tokens ?? noTokens, tokens)
  const spending: Spending = { tokens: sum, cost: costOf(sum, prices) }
  note(draft, { spentBy: new Map(spentBy).set(thread, spending) })
  const news = { tokens: total(sum), cost: spending.cost }
  emit(draft, null, [{ type: 'subagent', call: thread, news }])
}

/** The sum of all tokens. */
const total = ({ input, output, cacheRead, cacheWrite }: Tokens) => input + output + cacheRead + cacheWrite

/** Whether a reported answer has used anything. */
export const isSpent = (tokens: Tokens): boolean => total(tokens) > 0
