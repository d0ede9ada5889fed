import type { Projection } from '../../projections/projection.ts'
import type { EventOf, Outcome, Trigger } from '../../protocol/event.ts'

/** An interaction as far as it was known at a moment. */
export interface ToldInteraction {
  readonly id: string
  readonly trigger: Trigger
  readonly agent: string
  readonly startedAt: number
  readonly startSeq: number
  /** Null while it went on. */
  readonly endedAt: number | null
  readonly outcome: Outcome | null
  readonly reason: string | null
  /** How its agent received the conversation, if reported. */
  readonly handover: Pick<EventOf<'conversation-handed-over'>, 'agent' | 'how' | 'transcript' | 'lost'> | null
}

/** The interactions that had begun, by id, in their order. */
export type ToldInteractions = ReadonlyMap<string, ToldInteraction>

/** What was known of interactions after each entry. */
export const toldInteractions: Projection<ToldInteractions> = {
  initial: new Map(),
  apply(before, { at, seq, event }) {
    if (event.type === 'interaction-started') {
      const { interaction: id, trigger, agent } = event
      const open = { endedAt: null, outcome: null, reason: null, handover: null }
      return new Map(before).set(id, { id, trigger, agent, startedAt: at, startSeq: seq, ...open })
    }
    if (event.type !== 'interaction-ended' && event.type !== 'conversation-handed-over') return before
    const known = before.get(event.interaction)
    if (known === undefined) return before
    if (event.type === 'interaction-ended') {
      const { outcome, reason } = event
      return new Map(before).set(known.id, { ...known, endedAt: at, outcome, reason })
    }
    const { agent, how, transcript, lost } = event
    const handover = { agent, how, transcript, ...(lost !== undefined && { lost }) }
    return new Map(before).set(known.id, { ...known, handover })
  },
}
