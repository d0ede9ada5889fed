import type { ContextState, PairPlace, Place } from './context-state.ts'
import { isShown } from './context-state.ts'
import { decide, referring } from './decide.ts'
import type { Decision, Span } from './manifest.ts'
import { placeholderOf } from './placeholder.ts'
import { tokensWith } from './render-part.ts'

/** Why and when something is cleared. */
export interface Reason {
  readonly rule: string
  readonly why: string
  readonly step: number
}

/** One half of a pair: its call, or its result. */
export interface Half {
  readonly pair: PairPlace
  readonly place: Place
}

/** Pairs below this are never cleared: a placeholder saves next to nothing. */
export const leastTokens = 60

/**
 * Replaces halves of pairs with placeholders, if those are shorter. Lines that others refer to are written out at the
 * newest of them.
 */
export function clearHalves(state: ContextState, halves: readonly Half[], reason: Reason): void {
  const gone: Place[] = []
  for (const { place, pair } of halves) {
    const text = placeholderOf(pair, reason.why, place.part.id)
    const decision: Decision = { as: 'placeholder', rule: reason.rule, step: reason.step, text }
    if (tokensWith(state, place.part, decision) >= place.sent) continue
    decide(state, place, decision)
    gone.push(place)
  }
  materialise(state, gone)
}

/**
 * Writes out, or points elsewhere, references to parts that are no longer sent. The newest comes first. The
 * ledger's changes of them are decided again, because they were short before.
 */
export function materialise(state: ContextState, gone: readonly Place[]): void {
  const holders = new Set(gone.flatMap(({ part }) => [...(state.holders.get(part.id) ?? [])]))
  const places = [...holders].flatMap(id => state.places.get(id) ?? []).toSorted((a, b) => b.order - a.order)
  for (const place of places) {
    const decision = state.decisions.get(place.part.id)
    if (decision?.as !== 'reference') continue
    decide(state, place, withoutGone(state, place, decision))
    if (state.changed.has(place)) state.fresh.add(place)
  }
}

function withoutGone(
  state: ContextState,
  place: Place,
  decision: Decision & { readonly as: 'reference' },
): Decision | null {
  const spans = decision.spans.flatMap((span): readonly Span[] => {
    if (isShown(state, span.source)) return [span]
    const { lines } = place
    const match = lines === null ? null : state.visible.find(lines, span.from, span.lines)
    return match === null || match.lines < span.lines ? [] : [{ ...span, ...match, lines: span.lines }]
  })
  return referring(state, place, { ...decision, spans })
}
