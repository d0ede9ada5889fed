import type { SessionState } from '../../catalogue/session-state.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { InteractionId, PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Route } from './prompt-routes.ts'

/** A prompt that becomes an interaction. */
export interface Job {
  readonly interaction: InteractionId
  readonly prompt: PromptId
  readonly parts: readonly PromptPart[]
  /** The message that it continues from, if that is not the newest. */
  readonly parent?: string | null
  /** The agent that it goes to and the parts that this agent gets, if these are not the session's agent and all parts. */
  readonly route?: Route
}

/** The event that starts the interaction. It has all parts of the prompt, also when the agent gets fewer. */
export function started({ route, ...job }: Job, agent: string): EventOf<'interaction-started'> {
  return { type: 'interaction-started', trigger: 'user', agent: route?.agent ?? agent, ...job }
}

/** The queued prompt that starts next when nothing runs. Held prompts wait for a person. */
export function nextPrompt(
  { queue, summary }: SessionState,
  held: ReadonlySet<PromptId>,
): QueuedPrompt | undefined {
  return summary.archived || summary.deleted ? undefined : queue.find(({ prompt }) => !held.has(prompt))
}
