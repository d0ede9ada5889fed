import type { InteractionId, PromptId } from '../../protocol/ids.ts'
import type { RunningAgent } from '../agent/running-agent.ts'
import type { SessionView } from '../view/session-view.ts'
import type { SessionWriter } from './session-writer.ts'

/** A session that this process owns and works on at the moment. There is at most one for each session. */
export interface OwnedSession extends SessionView, Pick<SessionWriter, 'write'> {
  /** Saves its events. For code that only reads, it is also the `record`. */
  readonly writer: SessionWriter
  /** Aborted when another node owns the session. */
  readonly lost: AbortSignal
  /** Prompts that were already queued when the session was claimed: a person must confirm them. */
  readonly held: Set<PromptId>
  /** Runs a task for the session in the background. The session stays owned until it ends. */
  spawn(work: () => Promise<void>): void
  /** Starts the next queued prompt, if there is one and nothing runs. */
  proceed(): void
  agent: RunningAgent | null
  /** Cancels the wait for an agent. */
  starting: AbortController | null
  /** The interaction that a person asked to stop. */
  interrupted: InteractionId | null
}
