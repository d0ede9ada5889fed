import type { SessionState } from '../../catalogue/session-state.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { InteractionId, PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Route } from './routes.ts'

/** A prompt that becomes an interaction. */
export interface Job {
  readonly interaction: InteractionId
  readonly prompt: PromptId
  readonly parts: readonly PromptPart[]
  /** The message after which it goes on, where that is not the newest. */
  readonly parent?: string | null
  /** The agent that it goes to, and what that is given of it, where these are not the session's agent and all of it. */
  readonly route?: Route
}

/** The event with which it does: the person's words are as they were said, whoever gets them. */
export function started({ route, ...job }: Job, agent: string): EventOf<'interaction-started'> {
  return { type: 'interaction-started', trigger: 'user', agent: route?.agent ?? agent, ...job }
}

/** The queued prompt that may begin as soon as nothing runs; held ones wait for a person. */
export function nextPrompt(
  { queue, summary }: SessionState,
  held: ReadonlySet<PromptId>,
): QueuedPrompt | undefined {
  return summary.archived || summary.deleted ? undefined : queue.find(({ prompt }) => !held.has(prompt))
}
