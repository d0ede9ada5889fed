import type { Json } from '../../protocol/json.ts'

/** What a running call has written so far, and how much of it was shown. */
export interface Live {
  readonly text: string
  /** What was typed into it. */
  readonly typed: readonly string[]
  /** How much came since it was last shown, and when that was, in the agent's own time. */
  readonly unseen: number
  readonly shownAt: number
}

/** A call that has written nothing. */
export const silent: Live = { text: '', typed: [], unseen: 0, shownAt: 0 }

const keptLength = 1 << 20
const shownLength = 8_192
const pause = 250

/**
 * Adds to what a call has written. It is due to be shown when there is enough that is new or when some time has passed, since
 * each showing repeats what was shown before.
 */
export function write(live: Live, delta: string, at: number): { readonly live: Live; readonly due: boolean } {
  const whole = live.text + delta
  const text = whole.length > keptLength * 2 ? whole.slice(-keptLength) : whole
  const unseen = live.unseen + delta.length
  const due = unseen * 4 >= Math.min(text.length, shownLength) || at - live.shownAt >= pause
  const shown = due ? { unseen: 0, shownAt: at } : { unseen }
  return { live: { ...live, text, ...shown }, due }
}

/** The end of what a call has written, as its output for now. */
export function outputSoFar({ text }: Live): Json {
  const output = text.length > shownLength ? `…${text.slice(-shownLength)}` : text
  return { output, status: 'inProgress' }
}
