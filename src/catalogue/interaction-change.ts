import type { Entry } from '../protocol/entry.ts'
import type { EventOf, Validity } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'

interface Which {
  readonly session: SessionId
  readonly interaction: string
}

/** A change of an entry to interactions. */
export type InteractionChange =
  | ({ readonly type: 'interaction-began'; readonly seq: number; readonly at: number } & Which &
      Pick<EventOf<'interaction-started'>, 'trigger' | 'agent' | 'prompt'>)
  | ({ readonly type: 'interaction-stopped'; readonly seq: number; readonly at: number } & Which &
      Pick<EventOf<'interaction-ended'>, 'outcome' | 'reason'>)
  /** Without parts it is about the whole interaction. */
  | ({
      readonly type: 'interaction-judged'
      readonly to: Validity
      readonly parts: readonly string[] | null
      readonly seq: number
    } & Which)

/** The changes of an entry about interactions. */
export function changesOfInteraction({ session, seq, at, event }: Entry): readonly InteractionChange[] {
  if (event.type === 'interaction-started') {
    const { interaction, trigger, agent, prompt, happened = at } = event
    return [{ type: 'interaction-began', session, interaction, trigger, agent, prompt, seq, at: happened }]
  }
  if (event.type === 'interaction-ended') {
    const { interaction, outcome, reason, happened = at } = event
    return [{ type: 'interaction-stopped', session, interaction, outcome, reason, seq, at: happened }]
  }
  if (event.type !== 'validity-changed') return []
  const { interaction, parts = null } = event.target
  return [{ type: 'interaction-judged', session, interaction, to: event.to, parts, seq }]
}
