import type { Entry } from '../../protocol/entry.ts'
import { playOn, type Pace, type PlayPlace } from './playback.ts'

/** What a player needs. */
export interface PlayerParts {
  readonly now: () => number
  readonly pace: () => Pace
  /** The entry that is shown, or is on its way to be. */
  readonly here: () => number
  readonly entryAt: (seq: number) => Promise<Entry | undefined>
  readonly goTo: (seq: number) => void
  /** Called when it stops automatically: at the end, or because of an error. */
  readonly ended: (error?: unknown) => void
}

/** Goes through a session in its own time. */
export interface Player {
  start(): void
  stop(): void
  /** The user jumped to another entry: it continues from there. */
  moved(): void
}

const tickMs = 40

/** It is paused until it is started. */
export function createPlayer({ now, pace, here, entryAt, goTo, ended }: PlayerParts): Player {
  let timer: ReturnType<typeof setTimeout> | undefined
  let place: PlayPlace | null = null
  /** The number of this start; what an earlier start had planned is ignored. */
  let round = 0
  const tick = async (mine: number, last: number) => {
    const [time, from] = [now(), here()]
    const start = place ?? { seq: from, at: (await entryAt(Math.max(1, from)))?.at ?? 0 }
    const next = await playOn(start, time - last, pace(), entryAt)
    if (mine !== round) return
    if (next === null) return ended()
    if (here() === from) {
      if (next.seq !== from) goTo(next.seq)
      place = next
    }
    run(mine, time, tickMs)
  }
  const run = (mine: number, last: number, after: number) => {
    timer = setTimeout(() => void tick(mine, last).catch(ended), after)
  }
  const stop = () => {
    round += 1
    clearTimeout(timer)
    place = null
  }
  return {
    start() {
      stop()
      run(round, now(), 0)
    },
    stop,
    moved() {
      place = null
    },
  }
}
