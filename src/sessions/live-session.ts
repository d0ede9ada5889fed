import type { InteractionId, PromptId } from '../protocol/ids.ts'
import type { Host } from './host.ts'
import type { Keeper } from './keep.ts'
import type { Line } from './line.ts'
import type { RunningAgent } from './running-agent.ts'

/** A session that something is done with at the moment. There is at most one of it for each session. */
export interface LiveSession extends Pick<Keeper, 'wish' | 'keep'> {
  readonly host: Host
  readonly line: Line
  readonly keeper: Keeper
  /** Prompts that waited already when the session was opened: a person must say that they are still wanted. */
  readonly held: Set<PromptId>
  /** Does something for the session beside what is going on; the session stays live as long. */
  spawn(work: () => Promise<void>): void
  /** Lets the next queued prompt begin, when there is one and nothing runs. */
  proceed(): void
  agent: RunningAgent | null
  /** Gives up waiting for an agent. */
  starting: AbortController | null
  /** The interaction that someone asked to stop. */
  interrupted: InteractionId | null
}
