import type { Tokens } from '../../protocol/data-parts.ts'
import type { Costs } from '../../prices/price-usage.ts'

interface Used {
  readonly tokens: Tokens | null
  readonly costs: Costs
}

const minute = 60_000
const hour = 60 * minute

/** How fast a block is used: from its first use until now, or until its last use if it is over. */
export function burnOf(
  { tokens, costs: { reported, estimated } }: Used,
  { first, last }: { readonly first: number; readonly last: number },
  end: number,
  now: number,
) {
  const active = now < end
  const spent = (active ? now : last) - first
  const isKnown = spent >= minute
  const count = tokens === null ? 0 : Object.values(tokens).reduce((sum, each) => sum + each, 0)
  const cost = reported === null && estimated === null ? null : (reported ?? 0) + (estimated ?? 0)
  const costPerHour = isKnown && cost !== null ? (cost / spent) * hour : null
  return {
    first,
    last,
    end,
    active,
    tokensPerMinute: isKnown ? (count / spent) * minute : null,
    costPerHour,
    projected:
      active && cost !== null && costPerHour !== null ? cost + (costPerHour * (end - now)) / hour : null,
  }
}
