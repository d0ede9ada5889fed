import { usesOf } from '../measure/uses.ts'
import type { Block } from '../transcript/block.ts'
import { anchor } from './show.ts'

/** The ceiling: results and thinking are cleared as soon as nothing later uses them. This is impossible live. */
export const foresight = anchor('perfect foresight', segment => {
  const lastNeeded = new Map<Block, number>()
  for (const [step, uses] of usesOf(segment))
    for (const { sources } of uses) {
      // Keeping what is kept anyway costs nothing more; else the newest source.
      const source = sources.toSorted(
        (one, other) => (lastNeeded.get(other) ?? 0) - (lastNeeded.get(one) ?? 0),
      )[0]
      if (source !== undefined) lastNeeded.set(source, step)
    }
  return (request, seen) =>
    new Map(
      seen
        .filter(
          block =>
            (block.kind === 'result' || block.kind === 'thinking') &&
            (lastNeeded.get(block) ?? 0) < request.step &&
            block.step < request.step - 1,
        )
        .map(block => [block, '[cleared]']),
    )
})
