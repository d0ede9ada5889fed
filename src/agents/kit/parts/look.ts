import type { Thread } from '../../../protocol/chunk.ts'
import { getIn } from '../persistent-map.ts'
import { openPiece, type Call, type Parts } from './state.ts'

/** Whether a thread has an open message. */
export function isSpeaking(parts: Parts, thread: Thread = null): boolean {
  return (getIn(parts.threads, thread)?.message ?? null) !== null
}

/** The state of a call; its input only until it has a result. */
export function callIn(parts: Parts, call: string): Call | undefined {
  return getIn(parts.calls, call)
}

/** The text so far of a piece of the current answer, or of the last one. */
export function wordsIn(parts: Parts, thread: Thread, kind: 'text' | 'thinking', key: string): string {
  const { message, last } = getIn(parts.threads, thread) ?? { message: null, last: null }
  const [current, name] = [message ?? last, `${kind} ${key}`]
  return (current && openPiece(current, name))?.text ?? (current && getIn(current.closed, name))?.text ?? ''
}
