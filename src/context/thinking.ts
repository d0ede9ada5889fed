import type { ContextState } from './context-state.ts'
import { decide } from './decide.ts'
import type { Target } from './target.ts'

/** From this share of the window on, a request that goes through without its thinking beats one that is refused. */
const emergency = 0.78

/** Whether words that were sent before may be changed now: not before the thinking of an interaction that is running. */
export function mayChangeSent(
  state: ContextState,
  { thinking, window, fixedTokens }: Target,
  sent: number,
): boolean {
  if (thinking !== 'bound' || fixedTokens + state.after > emergency * window) return true
  // A person's new words end what was running.
  for (let index = state.messages.length - 1; index >= 0 && !isPersons(state, index); index -= 1)
    if (index < sent && state.partsOf[index]?.some(({ part }) => part.kind === 'reasoning')) return false
  return true
}

function isPersons(state: ContextState, index: number): boolean {
  const places = state.partsOf[index] ?? []
  return places.some(({ role, part }) => role === 'user' && part.kind !== 'result')
}

/** Leaves out the thinking that is bound to words which are no longer the same. */
export function dropUnbound(state: ContextState, { thinking, step }: Target, sent: number): void {
  if (thinking === 'free') return
  const first = firstChanged(state, sent, thinking === 'bound')
  for (let index = first; index < sent; index += 1)
    for (const place of state.partsOf[index] ?? []) {
      const isRefused = thinking === 'dropped' && place.standing.refused.has('thinking')
      if (place.part.kind === 'reasoning' && !isRefused && !state.decisions.has(place.part.id))
        decide(state, place, { as: 'omitted', rule: 'thinking', step })
    }
}

/** The first message that was sent before and is not the same now; where the provider drops, shown again is the same. */
function firstChanged(state: ContextState, sent: number, isStrict: boolean): number {
  let first = sent
  for (const { part, decision } of state.changes) {
    const message = state.places.get(part)?.message ?? sent
    if (message < first && (isStrict || decision !== null)) first = message
  }
  return first
}
