import type { SessionState } from '../catalogue/session-state.ts'
import type { QueuedPrompt } from '../projections/queue.ts'
import type { EventOf } from '../protocol/event.ts'
import type { InteractionId, PromptId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'

/** A prompt that becomes an interaction. */
export interface Job {
  readonly interaction: InteractionId
  readonly prompt: PromptId
  readonly parts: readonly PromptPart[]
  /** The message after which it goes on, where that is not the newest. */
  readonly parent?: string | null
}

/** The event with which it does. */
export const started = (job: Job, agent: string): EventOf<'interaction-started'> => ({
  type: 'interaction-started',
  trigger: 'user',
  agent,
  ...job,
})

/** The queued prompt that may begin as soon as nothing runs; held ones wait for a person. */
export function nextPrompt(
  { queue, summary }: SessionState,
  held: ReadonlySet<PromptId>,
): QueuedPrompt | undefined {
  return summary.archived || summary.deleted ? undefined : queue.find(({ prompt }) => !held.has(prompt))
}
