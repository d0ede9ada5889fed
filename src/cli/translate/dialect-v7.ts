import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'

/** A chunk that early clients would refuse. */
type NewChunk =
  | { readonly type: 'tool-approval-response'; readonly approvalId: string; readonly approved: boolean }
  | { readonly type: 'reset-step' }

/** A chunk of the newer dialect, and its thread. */
export interface NewThreadChunk {
  readonly thread: Thread
  readonly chunk: Chunk | NewChunk
}

interface ThreadMemory {
  /** Unanswered questions by call. */
  readonly asked: Map<string, string>
  /** The parts of the step in hand; under '' those that cannot be taken back. */
  readonly step: Set<string>
}

/**
 * Says in the newer dialect what portable chunks can only imply: a call that runs was approved, one that is denied was not,
 * and a step of which everything is taken back is reset.
 */
export function createDialectV7(): (said: ThreadChunk) => readonly NewThreadChunk[] {
  const threads = new Map<Thread, ThreadMemory>()
  return ({ thread, chunk }) => {
    const memory = threads.get(thread) ?? { asked: new Map(), step: new Set() }
    threads.set(thread, memory)
    const translated =
      chunk.type === 'data-retracted' ? takeBack(memory, chunk) : [...answers(memory, chunk), chunk]
    remember(memory, chunk)
    return translated.map(each => ({ thread, chunk: each }))
  }
}

/** The answer that must have been given before this chunk could come. An error alone does not tell which it was. */
function answers({ asked }: ThreadMemory, chunk: Chunk): readonly NewChunk[] {
  const denied = chunk.type === 'tool-output-denied'
  if (!denied && chunk.type !== 'tool-output-available' && chunk.type !== 'tool-input-available') return []
  const approvalId = asked.get(chunk.toolCallId)
  if (approvalId === undefined) return []
  asked.delete(chunk.toolCallId)
  return [{ type: 'tool-approval-response', approvalId, approved: !denied }]
}

function takeBack(
  { step }: ThreadMemory,
  chunk: Extract<Chunk, { readonly type: 'data-retracted' }>,
): readonly (Chunk | NewChunk)[] {
  const ids = new Set(chunk.data.ids)
  const whole = step.size > 0 && [...step].every(id => ids.has(id)) && ids.size === step.size
  return [whole ? { type: 'reset-step' } : chunk]
}

function remember({ asked, step }: ThreadMemory, chunk: Chunk): void {
  if (chunk.type === 'tool-approval-request') asked.set(chunk.toolCallId, chunk.approvalId)
  if (chunk.type === 'start' || chunk.type === 'start-step' || chunk.type === 'data-retracted') step.clear()
  else if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') step.add(chunk.id)
  else if (chunk.type === 'tool-input-start' || chunk.type === 'tool-input-available')
    step.add(chunk.toolCallId)
  else if (chunk.type === 'file' || chunk.type.startsWith('data-') || chunk.type.startsWith('source-'))
    step.add('')
}
