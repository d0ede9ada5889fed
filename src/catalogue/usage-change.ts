import { spentIn, type Spent } from '../projections/spent.ts'
import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'

/** The tables whose rows count as used, unless they are copies. */
export const countedTables = ['spent', 'interaction', 'tool_call'] as const

/** What an entry changes in what is counted across sessions. Doing a change again changes nothing more. */
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
  /** What came up to an entry was done in another session: all of it, or only these interactions. */
  | {
      readonly type: 'usage-copied'
      readonly table: (typeof countedTables)[number]
      readonly session: SessionId
      readonly interactions: readonly InteractionId[] | null
      readonly seq: number
    }

/** Whose words they are. */
interface Speaker {
  readonly message: string
  readonly agent: string
  readonly model: string | null
}

/** Whether a chunk may tell what its message used. */
export const tellsOfUse = ({ chunk: { type } }: ThreadChunk): boolean =>
  type === 'data-usage' || type === 'finish'

/** What a chunk tells of the use of its message. */
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

/** What is no longer counted here, as it is where it was copied from. */
export function copiesTold({ session, seq, event }: Entry): readonly UsageChange[] {
  if (event.type !== 'session-branched' && event.type !== 'interactions-merged') return []
  const interactions = event.type === 'session-branched' ? null : event.interactions
  return countedTables.map(table => ({ type: 'usage-copied', table, session, interactions, seq }))
}
