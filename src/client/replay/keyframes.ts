import type { Keyframe } from './replay-fold.ts'

/** Keyframes in their places; there are never more than a few, however long a session is. */
export interface Keyframes {
  /** The last one at an entry or before it. */
  before(seq: number): Keyframe | undefined
  /** Whether one is wanted at an entry. */
  isWanted(seq: number): boolean
  put(keyframe: Keyframe): void
  readonly count: () => number
}

/** Begins with none: one at every `spacing` entries, until there are too many; then at every other of these. */
export function createKeyframes(spacing = 500, most = 64): Keyframes {
  const kept = new Map<number, Keyframe>()
  let every = spacing
  const thin = () => {
    every *= 2
    for (const seq of kept.keys()) if (seq % every !== 0) kept.delete(seq)
  }
  return {
    before(seq) {
      for (let at = seq - (seq % every); at > 0; at -= every) {
        const found = kept.get(at)
        if (found !== undefined) return found
      }
      return undefined
    },
    isWanted: seq => seq % every === 0 && !kept.has(seq),
    put(keyframe) {
      kept.set(keyframe.facts.seq, keyframe)
      if (kept.size > most) thin()
    },
    count: () => kept.size,
  }
}
