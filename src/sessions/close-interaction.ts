import type { SessionState } from '../catalogue/session-state.ts'
import type { Event } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { openParts } from '../protocol/open-parts.ts'
import { leftByServer, type Ending } from './ending.ts'

/** Ends the running interaction, if it is still that one: open questions lapse, open parts are closed, what was said stays. */
export function closeInteraction(
  state: SessionState,
  interaction: InteractionId,
  { outcome, reason }: Ending,
): readonly Event[] {
  if (state.summary.running?.interaction !== interaction) return []
  const chunks = openParts.closeAll(state.open, { errorText: reason, reason: outcome })
  return [
    ...lapse(state.pending, reason),
    { type: 'interaction-ended', interaction, outcome, reason, chunks },
  ]
}

/** Gives up questions that can no longer be answered. */
export const lapse = (pending: SessionState['pending'], reason: string): readonly Event[] =>
  pending.map(({ approval }) => ({ type: 'approval-lapsed', approval, reason }))

/** Ends what a server that died left running. What was said until then stays. */
export function closeLeftOver(state: SessionState): readonly Event[] {
  const { running } = state.summary
  return running === null
    ? lapse(state.pending, leftByServer.reason)
    : closeInteraction(state, running.interaction, leftByServer)
}
