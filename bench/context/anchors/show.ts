import { tokensOf } from '../counting.ts'
import type { Policy, Shown } from '../policy.ts'
import type { Block } from '../transcript/block.ts'
import type { Request, Segment } from '../transcript/segment.ts'

/** A block as it is. */
export function createWhole(): (block: Block) => Shown {
  const known = new Map<Block, Shown>()
  return block => {
    const found = known.get(block) ?? {
      block,
      tokens: block.tokens,
      words: null,
      standing: null,
      sent: block,
    }
    known.set(block, found)
    return found
  }
}

/** A block of which only these words are sent. */
export const replaced = (block: Block, words: string): Shown => ({
  block,
  tokens: tokensOf(block.kind, words.length),
  words,
  standing: null,
  sent: words,
})

/** What a rule does with a block that it does not send whole: other words in its place, or nothing at all. */
export type Fate = string | null

/** What a rule says of the blocks before a request; those not named are sent whole. */
export type Verdict = ReadonlyMap<Block, Fate>

/** A rule of another program: asked before each request, it says what of the history is not sent whole. */
export const anchor = (
  name: string,
  start: (segment: Segment) => (request: Request, seen: readonly Block[]) => Verdict,
): Policy => ({
  name,
  isOurs: false,
  start(segment) {
    const judge = start(segment)
    const whole = createWhole()
    const shownAs = (block: Block, verdict: Verdict): readonly Shown[] => {
      const fate = verdict.get(block)
      if (fate === undefined) return [whole(block)]
      return fate === null ? [] : [replaced(block, fate)]
    }
    return request => {
      const seen = segment.blocks.slice(0, request.upTo)
      const verdict = judge(request, seen)
      return seen.flatMap(block => shownAs(block, verdict))
    }
  },
})

/** Everything, always: what the savings are measured from. */
export const everything = anchor('off', () => () => new Map())
