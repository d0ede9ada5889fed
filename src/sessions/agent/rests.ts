/** Asks a holder to give up its place, and says why. */
export type Leave = (reason: string) => void

/** Those who hold a place and have nothing to do, the longest first. */
export interface Rests<Holder> {
  /** Begins a rest. `yields` says whether it can be cut short for others. */
  begin(holder: Holder, leave: Leave, yields: boolean): void
  end(holder: Holder): void
  /** Asks the one that rests longest, of those that yield, to make room. */
  makeRoom(): void
}

interface Rest {
  readonly leave: Leave
  readonly yields: boolean
  readonly timer: NodeJS.Timeout
}

/** A timer set for longer goes off at once. */
const longestTimer = 2 ** 31 - 1

/** Keeps the rests, each bounded in time. */
export function createRests<Holder>(idleMs: number): Rests<Holder> {
  const rests = new Map<Holder, Rest>()

  const end = (holder: Holder) => {
    clearTimeout(rests.get(holder)?.timer)
    rests.delete(holder)
  }
  const ask = (holder: Holder, reason: string) => {
    const rest = rests.get(holder)
    end(holder)
    rest?.leave(reason)
  }

  return {
    end,
    begin(holder, leave, yields) {
      end(holder)
      const timer = setTimeout(ask, Math.min(idleMs, longestTimer), holder, 'Closed because it was idle.')
      timer.unref()
      rests.set(holder, { leave, yields, timer })
    },
    makeRoom() {
      for (const [holder, { yields }] of rests)
        if (yields) return ask(holder, 'Closed to make room for another session.')
    },
  }
}
