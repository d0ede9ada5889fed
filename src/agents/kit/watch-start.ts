import type { Raw } from '../../protocol/event.ts'
import type { Patience } from '../agent.ts'
import { lastLine } from './ask-program.ts'
import { watchActivity } from './group-activity.ts'

/** A machine under load makes every program slow, but then it computes, or waits to; one that hangs does neither. */
export const defaultPatience: Patience = { quietMs: 6_000, startMs: 60_000 }

/** What is looked at of a program that starts. */
export interface Starting {
  readonly process: number | null
  readonly lastWords: () => string
  /** Whether it waits for us. */
  readonly isHeld?: () => boolean
}

/** Watches a program until it speaks its protocol. Disposing of it ends the watch. */
export interface StartWatch extends Disposable {
  /** Aborted when it was waited for long enough. */
  readonly over: AbortSignal
  /** Hears a line: one of its protocol shows that it works, and ends the watch. */
  hear(raw: Raw, isProtocol: boolean): void
  /** Whether it has spoken its protocol. */
  readonly hasSpoken: boolean
  /** Says in words what was seen of it beside its end; empty when nothing was. */
  seen(): string
  /** Says in words for how long it was waited. */
  waited(): string
}

const looks = 14
const longestWord = 200

/** More lines than this that are not its protocol are a flood, and not a word before the first. */
const mostOthers = 1_000

/**
 * Watches a program that starts. One that gives no sign of life is given up soon: no line of its protocol, nothing in its log,
 * nothing computed. Signs of life give it more time, up to a limit.
 */
export function watchStart(starting: Starting, { quietMs, startMs }: Patience): StartWatch {
  const controller = new AbortController()
  // What a program on another machine is at cannot be seen from here.
  const isActive = starting.process === null ? () => true : watchActivity(starting.process)
  const began = performance.now()
  let sign = began
  let words = starting.lastWords()
  let waited = startMs
  let hasSpoken = false
  let babble: string | null = null
  let others = 0

  const end = (after: number) => {
    clearInterval(timer)
    waited = after
    controller.abort()
  }
  const look = () => {
    const now = performance.now()
    const said = starting.lastWords()
    if (said !== words || starting.isHeld?.() === true || isActive()) sign = now
    words = said
    if (now - began >= startMs) end(startMs)
    else if (now - sign >= quietMs) end(quietMs)
  }
  const timer = setInterval(look, Math.min(quietMs, startMs) / looks)
  timer.unref()
  return {
    over: controller.signal,
    hear({ raw }, isProtocol) {
      if (!isProtocol) babble ??= raw
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
      const other = babble === null ? '' : JSON.stringify(babble.slice(0, longestWord))
      return [
        ...(other === '' ? [] : [`Its output does not follow the protocol: ${other}.`]),
        ...(log === '' ? [] : [`Last line of its log: ${log.replace(/\.$/, '')}.`]),
      ].join(' ')
    },
    waited: () => `${waited / 1000} seconds`,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
