import { spentIn, type Spent } from '../projections/spent.ts'
import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'

/** What an entry changes in the usage across sessions. */
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
interface Speaker {
  readonly message: string
  readonly agent: string
  readonly model: string | null
}

/** Whether a chunk may report the usage of its message. */
export const tellsOfUse = ({ chunk: { type } }: ThreadChunk): boolean =>
  type === 'data-usage' || type === 'finish'

/** The usage that a chunk reports for its message. */
export function usageTold(
  { session, seq, at, event }: Entry,
  { thread, chunk }: ThreadChunk,
  { message, agent, model }: Speaker,
): readonly UsageChange[] {
  const told = spentIn(chunk)
  if (told === null) return []
  const interaction = 'interaction' in event ? event.interaction : null
  const { spent, exact } = told
  const whose = { session, thread, message, interaction, agent, model: told.model ?? model }
  return [{ type: 'usage-told', ...whose, spent, exact, seq, at }]
}

/** The usage that is not counted here, because it is counted where it was copied from. */
export function copiesTold({ session, seq, event }: Entry): readonly UsageChange[] {
  if (event.type !== 'session-branched' && event.type !== 'interactions-merged') return []
  const interactions = event.type === 'session-branched' ? null : event.interactions
  return [{ type: 'usage-copied', session, interactions, seq }]
}
