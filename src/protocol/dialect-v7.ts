import type { Chunk, Thread, ThreadChunk } from './chunk.ts'
import { createPartPlaces, type PartPlaces } from './part-places.ts'

/** A chunk that early clients would refuse. */
export type NewChunk =
  | {
      readonly type: 'tool-approval-response'
      readonly approvalId: string
      readonly approved: boolean
      readonly reason?: string
    }
  | { readonly type: 'reset-step' }

/** A chunk of the newer dialect, and its thread. */
export interface NewThreadChunk {
  readonly thread: Thread
  readonly chunk: Chunk | NewChunk
}

/** An answer to a question of the agent. */
interface Answer {
  readonly approval: string
  readonly approved: boolean
  readonly reason: string | null
}

/** Adds the chunks of the newer dialect that portable chunks only imply. */
export interface DialectV7 {
  say(threadChunk: ThreadChunk): readonly NewThreadChunk[]
  /** Reports an answer once, as soon as it is known. */
  answer(answer: Answer): readonly NewThreadChunk[]
}

interface ThreadMemory {
  /** The message that was begun or opened again last. */
  message: string
  /** Unanswered questions by call, and the message in which each was asked: a client finds it in no other. */
  readonly asked: Map<string, { readonly approvalId: string; readonly message: string }>
  /** Calls of which we know that they were denied, and the message of each. */
  readonly denied: Map<string, string>
  /** The parts of the step in hand; under '' those that cannot be retracted. */
  readonly step: Set<string>
  readonly places: PartPlaces
}

/**
 * Adds approval answers that no chunk reports: a call that runs was approved, and a denied call was not. A call that fails
 * after a denial becomes a denied call. A step whose parts were all retracted is reset.
 */
export function createDialectV7(): DialectV7 {
  const threads = new Map<Thread, ThreadMemory>()
  const memoryOf = (thread: Thread) => {
    const memory = threads.get(thread) ?? newMemory()
    threads.set(thread, memory)
    return memory
  }
  return {
    say({ thread, chunk }) {
      const memory = memoryOf(thread)
      if (chunk.type === 'start') memory.message = chunk.messageId
      memory.places.count(chunk)
      const translated =
        chunk.type === 'data-retracted'
          ? takeBack(memory, chunk)
          : [...answers(memory, chunk), denial(memory, chunk)]
      remember(memory, chunk)
      return translated.map(each => ({ thread, chunk: each }))
    },
    answer(answer) {
      for (const [thread, memory] of threads)
        for (const [call, { approvalId, message }] of memory.asked) {
          if (approvalId !== answer.approval || message !== memory.message) continue
          memory.asked.delete(call)
          if (!answer.approved) memory.denied.set(call, message)
          return [{ thread, chunk: responseTo(answer) }]
        }
      return []
    },
  }
}

const newMemory = (): ThreadMemory => ({
  message: '',
  asked: new Map(),
  denied: new Map(),
  step: new Set(),
  places: createPartPlaces(),
})

const responseTo = ({ approval, approved, reason }: Answer): NewChunk => ({
  type: 'tool-approval-response',
  approvalId: approval,
  approved,
  ...(reason !== null && { reason }),
})

/** The answer that this chunk implies. An error alone does not imply any. */
function answers({ asked, message }: ThreadMemory, chunk: Chunk): readonly NewChunk[] {
  const denied = chunk.type === 'tool-output-denied'
  if (!denied && chunk.type !== 'tool-output-available' && chunk.type !== 'tool-input-available') return []
  const question = asked.get(chunk.toolCallId)
  // A later message may repeat a call, but it does not have the approval request.
  if (question?.message !== message) return []
  asked.delete(chunk.toolCallId)
  return [{ type: 'tool-approval-response', approvalId: question.approvalId, approved: !denied }]
}

/** A client refuses a message in which a denied call has failed. */
function denial({ denied, message }: ThreadMemory, chunk: Chunk): Chunk {
  if (chunk.type !== 'tool-output-error' || denied.get(chunk.toolCallId) !== message) return chunk
  return { type: 'tool-output-denied', toolCallId: chunk.toolCallId }
}

function takeBack(
  { step, places }: ThreadMemory,
  chunk: Extract<Chunk, { readonly type: 'data-retracted' }>,
): readonly (Chunk | NewChunk)[] {
  const ids = new Set(chunk.data.ids)
  const whole = step.size > 0 && [...step].every(id => ids.has(id)) && ids.size === step.size
  if (!whole) {
    step.add('')
    return [places.translate(chunk)]
  }
  step.clear()
  // The retraction itself would have been a part, too.
  places.removed(ids.size + 1)
  return [{ type: 'reset-step' }]
}

function remember({ asked, message, step }: ThreadMemory, chunk: Chunk): void {
  if (chunk.type === 'tool-approval-request')
    asked.set(chunk.toolCallId, { approvalId: chunk.approvalId, message })
  if (chunk.type === 'start-step') step.clear()
  // A reopened message continues in its last step, which we may know only in part.
  else if (chunk.type === 'start') step.add('')
  else if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') step.add(chunk.id)
  else if (chunk.type === 'tool-input-start' || chunk.type === 'tool-input-available')
    step.add(chunk.toolCallId)
  else if (isAside(chunk)) step.add('')
}

const isAside = ({ type }: Chunk) =>
  type === 'file' || type.startsWith('source-') || (type.startsWith('data-') && type !== 'data-retracted')
