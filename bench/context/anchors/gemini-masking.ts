import type { Block } from '../transcript/block.ts'
import { anchor, type Fate } from './show.ts'

const protectedTokens = 50_000
const leastTokens = 30_000
const kept = 250

/** Gemini CLI counts a quarter of a token for a character. */
const estimate = ({ content }: Block) => content.length / 4

/** Gemini CLI's masking: before each request, results beyond the newest 50,000 tokens go to a file, if that gains 30,000. */
export const geminiMasking = anchor('gemini cli masking (50k/30k)', () => {
  const masked = new Map<Block, Fate>()
  return (_request, seen) => {
    const last = seen.at(-1)?.step
    const results = seen.filter(block => block.kind === 'result' && block.step !== last)
    let total = 0
    let gain = 0
    const found: Block[] = []
    for (const block of results.toReversed()) {
      if (masked.has(block)) continue
      total += estimate(block)
      if (total <= protectedTokens || block.content.length < 4 * kept) continue
      found.push(block)
      gain += estimate(block)
    }
    if (gain > leastTokens) for (const block of found) masked.set(block, mask(block))
    return masked
  }
})

const mask = ({ content }: Block): string =>
  `<tool_output_masked>\n${content.slice(0, kept)}\n… [${content.length} characters kept in a file] …\n${content.slice(-kept)}\n</tool_output_masked>`
