import type { Session, StreamingBlock } from 'dragoman/client'

/** When somebody began to think and when they stopped, as this page saw it. */
export interface ThinkingTime {
  readonly from: number
  readonly to: number | null
}

/** How long the agent thought, measured while it was watched. */
export interface ThinkingTimes {
  /** By the key of the row; null where the beginning was not seen. */
  readonly of: (key: string) => ThinkingTime | null
  readonly start: () => () => void
}

/** So much is not said at once: somebody began earlier. */
const tooMuch = 400

/** Measures what streams by. What was thought before this page was there has no time. */
export function createThinkingTimes(session: Pick<Session, 'streaming'>, now: () => number): ThinkingTimes {
  const times = new Map<string, ThinkingTime>()
  let open: ReadonlySet<string> = new Set()
  const look = (blocks: readonly StreamingBlock[]) => {
    const found = new Set<string>()
    for (const { thread, message, index, part } of blocks) {
      if (part.type !== 'reasoning') continue
      const key = `${thread ?? ''} ${message} ${index}`
      found.add(key)
      if (!open.has(key) && part.text.length < tooMuch) times.set(key, { from: now(), to: null })
    }
    for (const key of open) {
      const time = times.get(key)
      if (!found.has(key) && time?.to === null) times.set(key, { ...time, to: now() })
    }
    open = found
  }
  return { of: key => times.get(key) ?? null, start: () => session.streaming.subscribe(look) }
}
