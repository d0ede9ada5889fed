import type { Thread } from '../../../protocol/chunk.ts'
import { getIn } from '../persistent-map.ts'
import type { Call, Parts } from './state.ts'

/** Whether an answer of a thread has begun and not finished. */
export function isSpeaking(parts: Parts, thread: Thread = null): boolean {
  return (getIn(parts.threads, thread)?.message ?? null) !== null
}

/** What is remembered of a call; its input only until it has a result. */
export function callIn(parts: Parts, call: string): Call | undefined {
  return getIn(parts.calls, call)
}

/** The text so far of a piece of the current answer, or of the last one. */
export function wordsIn(parts: Parts, thread: Thread, kind: 'text' | 'thinking', key: string): string {
  const { message, last } = getIn(parts.threads, thread) ?? { message: null, last: null }
  const [current, name] = [message ?? last, `${kind} ${key}`]
  return current?.open.get(name)?.text ?? (current && getIn(current.said, name))?.text ?? ''
}
