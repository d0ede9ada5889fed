import { fixedPrefix } from '../counting.ts'
import type { Block } from '../transcript/block.ts'
import { anchor, type Verdict } from './show.ts'

const trigger = 100_000
const keep = 3

/**
 * Anthropic's context editing with its defaults (`clear_tool_uses_20250919`). The client still sends everything, so
 * once the trigger is reached, each further call moves the place up to which results are cleared.
 */
export const anthropicEditing = anchor('anthropic editing (100k, keep 3)', () => (_request, seen) => {
  const total = seen.reduce((sum, { tokens }) => sum + tokens, fixedPrefix)
  return total < trigger ? new Map() : clearAllBut(keep, seen)
})

function clearAllBut(count: number, seen: readonly Block[]): Verdict {
  const results = seen.filter(({ kind }) => kind === 'result')
  return new Map(results.slice(0, -count).map(block => [block, '[cleared to save context]']))
}
