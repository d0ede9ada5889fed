import type { InteractionId, PromptId } from '../../protocol/ids.ts'
import type { RunningAgent } from '../agent/running-agent.ts'
import type { SessionView } from '../view/session-view.ts'
import type { SessionWriter } from './session-writer.ts'

/** A session that this process owns and does something with at the moment. There is at most one of it for each session. */
export interface OwnedSession extends SessionView, Pick<SessionWriter, 'write' | 'appendUntilSaved'> {
  readonly record: SessionWriter
  /** Aborted when the session belongs to another node. */
  readonly lost: AbortSignal
  /** Prompts that waited already when the session was claimed: a person must say that they are still wanted. */
  readonly held: Set<PromptId>
  /** Does something for the session beside what is going on; the session stays owned as long. */
  spawn(work: () => Promise<void>): void
  /** Starts the next queued prompt, when there is one and nothing runs. */
  proceed(): void
  agent: RunningAgent | null
  /** Gives up waiting for an agent. */
  starting: AbortController | null
  /** The interaction that someone asked to stop. */
  interrupted: InteractionId | null
}
