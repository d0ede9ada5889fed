import type { ThreadChunk } from '../protocol/chunk.ts'
import type { DataParts } from '../protocol/data-parts.ts'
import type { Event } from '../protocol/event.ts'

/** What the agent of the main conversation reports about its session; reports of subagents are ignored. */
export const introductionIn = ({ thread, chunk }: ThreadChunk): DataParts['session'] | null =>
  thread === null && chunk.type === 'data-session' ? chunk.data : null

/** The model of the main conversation after a chunk. */
export const modelAfter = (model: string | null, from: ThreadChunk): string | null =>
  introductionIn(from)?.model ?? model

/** The agent that an event assigns to the session, or null. Facts about the previous agent do not apply to a new one. */
export const agentGivenIn = (event: Event): string | null =>
  event.type === 'session-created' || event.type === 'agent-assigned' || event.type === 'interaction-started'
    ? event.agent
    : null
