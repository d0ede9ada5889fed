import type { Block } from '../transcript/block.ts'
import { anchor, type Fate } from './show.ts'

const protectedTokens = 40_000
const leastTokens = 20_000

/** OpenCode counts four characters a token. */
const estimate = ({ content }: Block) => Math.round(content.length / 4)

/** OpenCode's prune: when the agent has finished, results beyond the newest 40,000 tokens go, if that gains 20,000. */
export const opencodePrune = anchor('opencode prune (40k/20k)', () => {
  const pruned = new Map<Block, Fate>()
  return (_request, seen) => {
    if (seen.at(-1)?.kind === 'user') prune(seen, pruned)
    return pruned
  }
})

function prune(seen: readonly Block[], pruned: Map<Block, Fate>): void {
  const found: Block[] = []
  let total = 0
  // The new prompt was not there yet when the agent finished.
  let asked = 0
  for (const block of seen.toReversed()) {
    if (block.kind === 'user') asked++
    if (asked < 3 || block.kind !== 'result' || block.isError || block.call?.tool === 'Skill') continue
    if (pruned.has(block)) break
    total += estimate(block)
    if (total > protectedTokens) found.push(block)
  }
  const gain = found.reduce((sum, block) => sum + estimate(block), 0)
  if (gain > leastTokens) for (const block of found) pruned.set(block, '[Old tool result content cleared]')
}
