import type { SessionSummary } from '../../projections/summary.ts'
import { userMessage } from '../../projections/user-message.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { IndexedPart } from '../engine.ts'

type Spoken = Omit<IndexedPart, 'tool' | 'family' | 'files'>

/** The texts of a person's prompt; files have their names. */
export function promptsOf({ seq, at, event }: Entry): readonly Spoken[] {
  if (event.type !== 'interaction-started') return none
  const message = userMessage(event)
  if (message === null) return none
  return event.parts.map((part, index) => ({
    thread: null,
    message: message.id,
    kind: 'prompt',
    part: String(index),
    at,
    first: seq,
    seq,
    text: textOfPrompt(part),
  }))
}

const none: readonly Spoken[] = []

/** The text of a part of a prompt. */
export const textOfPrompt = (part: PromptPart): string =>
  part.type === 'text' ? part.text : (part.filename ?? '')

/** The title, if an entry gave the session one. A title made from the first prompt is found there. */
export function titleAfter(
  before: SessionSummary | null,
  after: SessionSummary | null,
  { seq, at, event }: Entry,
): Spoken | null {
  const isMade = event.type === 'prompt-queued' || event.type === 'interaction-started'
  const title = after?.title ?? null
  if (title === null || title === (before?.title ?? null) || isMade) return null
  return { thread: null, message: null, kind: 'title', part: '', at, first: seq, seq, text: title }
}
