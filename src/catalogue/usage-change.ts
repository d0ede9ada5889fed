import { spentIn, type Spent } from '../projections/spent.ts'
import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { ModelRequest, UsageLimit } from '../protocol/data-parts.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf } from '../protocol/event.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'

/** A change of an entry to the usage across sessions. */
export type UsageChange =
  | {
      readonly type: 'usage-told'
      readonly session: SessionId
      readonly thread: Thread
      readonly message: string
      readonly interaction: string | null
      readonly agent: string
      readonly model: string | null
      readonly spent: Spent
      readonly exact: boolean
      readonly request: ModelRequest | null
      readonly seq: number
      readonly at: number
    }
  /** The git branch of a session from an entry on. */
  | {
      readonly type: 'usage-branched'
      readonly session: SessionId
      readonly branch: string
      readonly seq: number
    }
  /** Limits of the agent's subscription. They belong to no session: the newest report of each counts. */
  | {
      readonly type: 'usage-limited'
      readonly session: SessionId
      readonly agent: string
      readonly limits: readonly UsageLimit[]
      readonly seq: number
      readonly at: number
    }
  /** The usage, interactions and tool calls up to an entry are copies from another session: all of them, or only these interactions. */
  | {
      readonly type: 'usage-copied'
      readonly session: SessionId
      readonly interactions: readonly InteractionId[] | null
      readonly seq: number
    }

/** The message that a chunk belongs to. */
interface UsageOwner {
  readonly message: string
  readonly agent: string
  readonly model: string | null
}

/** Whether a chunk may report the usage of its message. */
export const mayReportUsage = ({ chunk: { type } }: ThreadChunk): boolean =>
  type === 'data-usage' || type === 'finish'

/** The git branch that the chunks of an entry report last. */
export function branchReported({ session, seq, event }: Entry): readonly UsageChange[] {
  const branches = chunksOf(event).flatMap(({ chunk }) =>
    chunk.type === 'data-session' && chunk.data.branch !== undefined ? [chunk.data.branch] : [],
  )
  const branch = branches.at(-1)
  return branch === undefined ? [] : [{ type: 'usage-branched', session, branch, seq }]
}

/** The limits that an agent reports. What was copied from another session is old. */
export function limitsReported({ session, seq, at, event }: Entry, agent: string): readonly UsageChange[] {
  if (event.type !== 'agent-spoke') return []
  const limits = chunksOf(event).flatMap(({ chunk }) =>
    chunk.type === 'data-limits' ? chunk.data.limits : [],
  )
  return limits.length === 0 ? [] : [{ type: 'usage-limited', session, agent, limits, seq, at }]
}

/** The usage that a chunk reports for its message. */
export function usageReported(
  { session, seq, at, event }: Entry,
  { thread, chunk }: ThreadChunk,
  { message, agent, model }: UsageOwner,
): readonly UsageChange[] {
  const report = spentIn(chunk)
  if (report === null) return []
  const interaction = 'interaction' in event ? event.interaction : null
  const { spent, exact, request = null } = report
  const whose = { session, thread, message, interaction, agent, model: report.model ?? model }
  return [{ type: 'usage-told', ...whose, spent, exact, request, seq, at }]
}

/** The usage that is not counted here, because it is counted where it was copied from. */
export function usageCopied({ session, seq, event }: Entry): readonly UsageChange[] {
  if (event.type !== 'session-branched' && event.type !== 'interactions-merged') return []
  const interactions = event.type === 'session-branched' ? null : event.interactions
  return [{ type: 'usage-copied', session, interactions, seq }]
}
