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

/** A block of which only this text is sent. */
export const replaced = (block: Block, words: string): Shown => ({
  block,
  tokens: tokensOf(block.kind, words.length),
  words,
  standing: null,
  sent: words,
})

/** What a rule sends instead of a full block: another text, or nothing at all. */
export type Fate = string | null

/** The decisions of a rule about the blocks before a request; other blocks are sent in full. */
export type Verdict = ReadonlyMap<Block, Fate>

/** A rule of another program: before each request, it decides which blocks are not sent in full. */
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

/** Sends everything, always: the baseline of the savings. */
export const everything = anchor('off', () => () => new Map())
