import type { ThreadChunk } from '../protocol/chunk.ts'
import type { DataParts } from '../protocol/data-parts.ts'
import type { Event } from '../protocol/event.ts'

/** What the agent of the main conversation tells of itself; a subagent may too, and is not the session's. */
export const introductionIn = ({ thread, chunk }: ThreadChunk): DataParts['session'] | null =>
  thread === null && chunk.type === 'data-session' ? chunk.data : null

/** The model of the main conversation after a chunk. */
export const modelAfter = (model: string | null, said: ThreadChunk): string | null =>
  introductionIn(said)?.model ?? model

/** The agent that an event gives the session to, if it does; what is known of the one before is not known of it. */
export const agentGivenIn = (event: Event): string | null =>
  event.type === 'session-created' || event.type === 'agent-assigned' || event.type === 'interaction-started'
    ? event.agent
    : null
