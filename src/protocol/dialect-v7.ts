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

/** Says in the newer dialect what portable chunks can only imply. */
export interface DialectV7 {
  say(said: ThreadChunk): readonly NewThreadChunk[]
  /** Tells of an answer as soon as it is known, once. */
  answer(answer: Answer): readonly NewThreadChunk[]
}

interface ThreadMemory {
  /** Unanswered questions by call. */
  readonly asked: Map<string, string>
  /** Calls of which we know that they were denied. */
  readonly denied: Set<string>
  /** The parts of the step in hand; under '' those that cannot be taken back. */
  readonly step: Set<string>
  readonly places: PartPlaces
}

/**
 * A call that runs was approved, one that is denied was not, even where nobody tells of the answer; what fails after a
 * denial is denied; and a step of which everything is taken back is reset.
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
      memory.places.count(chunk)
      const translated =
        chunk.type === 'data-retracted'
          ? takeBack(memory, chunk)
          : [...answers(memory, chunk), denial(memory, chunk)]
      remember(memory, chunk)
      return translated.map(each => ({ thread, chunk: each }))
    },
    answer(answer) {
      for (const [thread, { asked, denied }] of threads)
        for (const [call, approvalId] of asked) {
          if (approvalId !== answer.approval) continue
          asked.delete(call)
          if (!answer.approved) denied.add(call)
          return [{ thread, chunk: responseTo(answer) }]
        }
      return []
    },
  }
}

const newMemory = (): ThreadMemory => ({
  asked: new Map(),
  denied: new Set(),
  step: new Set(),
  places: createPartPlaces(),
})

const responseTo = ({ approval, approved, reason }: Answer): NewChunk => ({
  type: 'tool-approval-response',
  approvalId: approval,
  approved,
  ...(reason !== null && { reason }),
})

/** The answer that must have been given before this chunk could come. An error alone does not tell which it was. */
function answers({ asked }: ThreadMemory, chunk: Chunk): readonly NewChunk[] {
  const denied = chunk.type === 'tool-output-denied'
  if (!denied && chunk.type !== 'tool-output-available' && chunk.type !== 'tool-input-available') return []
  const approvalId = asked.get(chunk.toolCallId)
  if (approvalId === undefined) return []
  asked.delete(chunk.toolCallId)
  return [{ type: 'tool-approval-response', approvalId, approved: !denied }]
}

/** A client refuses a message in which a denied call has failed. */
function denial({ denied }: ThreadMemory, chunk: Chunk): Chunk {
  if (chunk.type !== 'tool-output-error' || !denied.has(chunk.toolCallId)) return chunk
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

function remember({ asked, step }: ThreadMemory, chunk: Chunk): void {
  if (chunk.type === 'tool-approval-request') asked.set(chunk.toolCallId, chunk.approvalId)
  if (chunk.type === 'start-step') step.clear()
  // A message that is opened again stands in its last step, of which we may not know all.
  else if (chunk.type === 'start') step.add('')
  else if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') step.add(chunk.id)
  else if (chunk.type === 'tool-input-start' || chunk.type === 'tool-input-available')
    step.add(chunk.toolCallId)
  else if (isAside(chunk)) step.add('')
}

const isAside = ({ type }: Chunk) =>
  type === 'file' || type.startsWith('source-') || (type.startsWith('data-') && type !== 'data-retracted')
