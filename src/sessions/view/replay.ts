import type { SessionId } from '../../protocol/ids.ts'
import { retranslate, type ReadAgain, type Retranslated } from './retranslate.ts'
import { wait } from '../wait.ts'

/** How fast a session is replayed. */
export interface ReplayOptions {
  /** 1 is the original speed, 10 is ten times as fast, Infinity does not wait at all. */
  readonly speed: number
  /** Pauses are cut to this, in milliseconds, before the speed is applied. */
  readonly longestPause?: number
  readonly signal: AbortSignal
}

/** Replays a session: each entry at its time, with chunks translated again from the native lines. */
export async function* replay(
  parts: ReadAgain,
  session: SessionId,
  { speed, longestPause = Number.POSITIVE_INFINITY, signal }: ReplayOptions,
): AsyncGenerator<Retranslated, void, undefined> {
  let last: number | undefined
  for await (const again of retranslate(parts, session)) {
    const { at } = again.entry
    const pause = Math.min(at - (last ?? at), longestPause) / speed
    last = at
    if (pause > 0) await wait(pause, signal)
    if (signal.aborted) return
    yield again
  }
}
