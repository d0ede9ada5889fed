import type { Json } from '../../protocol/json.ts'

/** The output of a running call so far, and how much of it was shown. */
export interface Live {
  readonly text: string
  /** The text that was typed into it. */
  readonly typed: readonly string[]
  /** How much was added since it was last shown, and when that was, by the agent's clock. */
  readonly unseen: number
  readonly shownAt: number
}

/** A call without output. */
export const silent: Live = { text: '', typed: [], unseen: 0, shownAt: 0 }

const keptLength = 1 << 20
const shownLength = 8_192
const pause = 250

/**
 * Adds to the output of a call. The output is shown only when enough is new or some time has passed, because each update
 * repeats everything before it.
 */
export function write(live: Live, delta: string, at: number): { readonly live: Live; readonly due: boolean } {
  const whole = live.text + delta
  const text = whole.length > keptLength * 2 ? whole.slice(-keptLength) : whole
  const unseen = live.unseen + delta.length
  const due = unseen * 4 >= Math.min(text.length, shownLength) || at - live.shownAt >= pause
  const shown = due ? { unseen: 0, shownAt: at } : { unseen }
  return { live: { ...live, text, ...shown }, due }
}

/** The end of a call's output so far, as its preliminary output. */
export function outputSoFar({ text }: Live): Json {
  const output = text.length > shownLength ? `…${text.slice(-shownLength)}` : text
  return { output, status: 'inProgress' }
}
