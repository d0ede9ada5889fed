import type { Raw } from '../../protocol/event.ts'
import type { Patience } from '../agent.ts'
import { lastLine } from './ask-program.ts'
import { watchActivity } from './group-activity.ts'

/** A busy machine makes every program slow, but a slow program still computes or waits for the CPU; one that hangs does neither. */
export const defaultPatience: Patience = { quietMs: 6_000, startMs: 60_000 }

/** A starting program, as far as it is watched. */
export interface Starting {
  readonly process: number | null
  readonly lastWords: () => string
  /** Whether it waits for a line of ours. */
  readonly isHeld?: () => boolean
}

/** Watches a program until it writes a line of its protocol. Disposing of it ends the watch. */
export interface StartWatch extends Disposable {
  /** Aborted when the program took too long. */
  readonly over: AbortSignal
  /** Takes note of a line. A line of its protocol shows that the program works, and ends the watch. */
  hear(raw: Raw, isProtocol: boolean): void
  /** Whether it has written a line of its protocol. */
  readonly hasSpoken: boolean
  /** Sentences about its output that was not protocol; empty if there was none. */
  seen(): string
  /** How long the watch waited, in words. */
  waited(): string
}

const looks = 14
const longestWord = 200

/** With more lines than this that are not its protocol, the program does not follow the protocol at all. */
const mostOthers = 1_000

/**
 * Watches a program that starts. It is given up soon if it shows no sign of life: no line of its protocol, nothing in its log,
 * nothing computed. Signs of life give it more time, up to a limit.
 */
export function watchStart(starting: Starting, { quietMs, startMs }: Patience): StartWatch {
  const controller = new AbortController()
  // The activity of a program on another machine is not visible here.
  const isActive = starting.process === null ? () => true : watchActivity(starting.process)
  const began = performance.now()
  let sign = began
  let logEnd = starting.lastWords()
  let waited = startMs
  let hasSpoken = false
  let firstOther: string | null = null
  let others = 0

  const end = (after: number) => {
    clearInterval(timer)
    waited = after
    controller.abort()
  }
  const look = () => {
    const now = performance.now()
    const current = starting.lastWords()
    if (current !== logEnd || starting.isHeld?.() === true || isActive()) sign = now
    logEnd = current
    if (now - began >= startMs) end(startMs)
    else if (now - sign >= quietMs) end(quietMs)
  }
  const timer = setInterval(look, Math.min(quietMs, startMs) / looks)
  timer.unref()
  return {
    over: controller.signal,
    hear({ raw }, isProtocol) {
      if (!isProtocol) firstOther ??= raw
      others += isProtocol ? 0 : 1
      if (others === mostOthers) end(Math.ceil(performance.now() - began))
      hasSpoken ||= isProtocol
      if (isProtocol) clearInterval(timer)
    },
    get hasSpoken() {
      return hasSpoken
    },
    seen() {
      const log = lastLine(starting.lastWords()).slice(0, longestWord)
      const other = firstOther === null ? '' : JSON.stringify(firstOther.slice(0, longestWord))
      return [
        ...(other === '' ? [] : [`Its output does not follow the protocol: ${other}.`]),
        ...(log === '' ? [] : [`Last line of its log: ${log.replace(/\.$/, '')}.`]),
      ].join(' ')
    },
    waited: () => `${waited / 1000} seconds`,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
