import type { Tokens } from '../../../protocol/data-parts.ts'
import type { Prices } from '../lines.ts'
import { note, noTokens, say, type Draft, type ResponseState, type Spending } from './state.ts'

const million = 1_000_000

/** What tokens cost; null where no price is known. */
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

/** The figures of one response are told again as they grow; what a later one leaves out stands. */
export function newest(before: Tokens, told: Tokens): Tokens {
  const pick = (name: keyof Tokens) => (told[name] > 0 ? told[name] : before[name])
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

/** Adds what a response took, shows the sum in the main thread, and beside the subagent whose response it was. */
export function spend(draft: Draft, { thread, tokens, model }: ResponseState): void {
  const { spent, prices, parts } = draft.state
  const sum = plus(spent, tokens)
  const cost = costOf(sum, prices)
  note(draft, { spent: sum, cost })
  const shown = { tokens: sum, cost, model: model ?? parts.session.model }
  say(draft, null, [{ type: 'show', chunk: { type: 'data-usage', id: 'usage', data: shown } }])
  if (thread !== null) spendAs(draft, thread, tokens)
}

function spendAs(draft: Draft, thread: string, tokens: Tokens): void {
  const { spentBy, prices } = draft.state
  const sum = plus(spentBy.get(thread)?.tokens ?? noTokens, tokens)
  const spending: Spending = { tokens: sum, cost: costOf(sum, prices) }
  note(draft, { spentBy: new Map(spentBy).set(thread, spending) })
  const news = { tokens: total(sum), cost: spending.cost }
  say(draft, null, [{ type: 'subagent', call: thread, news }])
}

/** All tokens together. */
const total = ({ input, output, cacheRead, cacheWrite }: Tokens) => input + output + cacheRead + cacheWrite

/** Whether an answer that was told of has used anything. */
export const isSpent = (tokens: Tokens): boolean => total(tokens) > 0
