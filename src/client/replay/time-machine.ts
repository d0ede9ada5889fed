import type { EntryPages } from './entry-pages.ts'
import { createReplayFold, type ReplayView, type Keyframe } from './replay-fold.ts'

/** Goes to any entry of a session and gives its state there. */
export interface TimeMachine {
  /** Goes there, back or on. One wish at a time; after an abort it stays where it got to. */
  goTo(seq: number, signal: AbortSignal): Promise<ReplayView>
  /** Where it is now. */
  view(): ReplayView
}

/** How many entries are folded before others get a chance to do something. */
const breath = 2000

/** Begins before the first entry. */
export function createTimeMachine(pages: EntryPages, keyframes: Keyframes = createKeyframes()): TimeMachine {
  let fold = createReplayFold()
  let here = 0
  const start = (seq: number) => {
    const keyframe = keyframes.before(seq)
    const place = keyframe?.facts.seq ?? 0
    // Continuing from here is shorter, unless there is a keyframe in between.
    if (here <= seq && here >= place) return
    fold = createReplayFold(keyframe)
    here = place
  }
  const take = (entry: Parameters<typeof fold.apply>[0]) => {
    fold.apply(entry)
    here = entry.seq
    if (keyframes.isWanted(here)) keyframes.put(fold.keyframe())
  }
  return {
    view: () => fold.view(),
    async goTo(seq, signal) {
      start(seq)
      let folded = 0
      for await (const entries of pages.between(here, seq, signal)) {
        signal.throwIfAborted()
        entries.forEach(take)
        folded += entries.length
        if (folded % breath < entries.length && folded > breath)
          await new Promise(resolve => setTimeout(resolve))
      }
      return fold.view()
    },
  }
}

/** Keyframes in their places; there are never more than a few, however long a session is. */
interface Keyframes {
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
