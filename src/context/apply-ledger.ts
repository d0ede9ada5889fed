import { materialise } from './clear.ts'
import type { ContextState, Place } from './context-state.ts'
import { decide } from './decide.ts'
import { decisionOf } from './decision-of.ts'
import { isKept, untouched, type Ledger, type Manipulation } from './ledger.ts'
import type { Decision } from './manifest.ts'

/** The rules of the compiler itself: their decisions stay until they are rolled back. */
const ownRules = new Set(['duplicate', 'cold', 'unused', 'pressure'])

/** The newest requests, in which no tool and no policy clears anything. */
export const recentSteps = 3

/** What is possible at this request. */
export interface Moment {
  readonly step: number
  /** How many messages were sent before: later ones are about to be sent for the first time. */
  readonly sent: number
  /** Whether parts that were sent before may be changed at all, and whether that is free. */
  readonly mayChange: boolean
  readonly isCold: boolean
  /** Whether the policy clears what tools and rules found obsolete; a person's change always takes effect. */
  readonly rules: boolean
}

/** Updates each part's state from the changes of the ledger since the last request. */
export function learn(state: ContextState, ledger: Ledger): void {
  if (state.ledger === ledger) return
  const since = state.ledger?.revision ?? 0
  const changed = since <= ledger.revision ? ledger.changedSince(since) : null
  state.ledger = ledger
  const places =
    changed === null ? state.places.values() : [...changed].flatMap(id => state.places.get(id) ?? [])
  for (const place of places) look(state, place, ledger)
}

/** Reads the ledger's state of a new part. */
export function learnOf(state: ContextState, place: Place): void {
  if (state.ledger !== null && state.ledger.revision > 0) look(state, place, state.ledger)
}

function look(state: ContextState, place: Place, ledger: Ledger): void {
  const before = place.standing
  place.standing = ledger.standingOf(placeIn(place))
  // A result that arrives after its call was deleted has no separate state: it is deleted with the call.
  if (before === untouched && halvesOf(place).every(({ standing }) => standing === untouched)) return
  for (const half of halvesOf(place)) {
    state.changed.add(half)
    state.fresh.add(half)
  }
}

/** A part, and the other half of its pair. */
function halvesOf(place: Place): readonly Place[] {
  const { pair } = place
  if (pair === null) return [place]
  return pair.result === null ? [pair.call] : [pair.call, pair.result]
}

const isDeleted = ({ standing }: Place) => standing.deleted?.to === 'deleted'

const placeIn = ({ part, interaction, name }: Place) => ({ id: part.id, interaction, name })

/** Applies the ledger: leaves out, clears and annotates parts, and restores those that were rolled back. */
export function applyLedger(state: ContextState, moment: Moment): void {
  // Other parts may refer to a part that is cleared. They get longer then, and may have to be cleared as well.
  for (let gone = decideDue(state, moment); gone.length > 0; gone = decideDue(state, moment))
    materialise(state, gone)
}

/** Decides about the parts that may have changed, and gives those that are no longer sent. */
function decideDue(state: ContextState, moment: Moment): readonly Place[] {
  const gone: Place[] = []
  // While the cache is warm, only new parts and postponed changes have to be decided.
  const due = [...(moment.isCold ? state.changed : state.fresh)]
  const [free, bound] = [due.filter(each => isFree(state, each)), due.filter(each => !isFree(state, each))]
  state.fresh = new Set(bound)
  for (const place of free.toSorted((a, b) => a.order - b.order)) {
    const before = state.decisions.get(place.part.id) ?? null
    const wanted = wantedFor(place, before, moment)
    if (isWaiting(place, wanted)) state.fresh.add(place)
    if (wanted === before || (before !== null && wanted?.as === before.as && wanted.rule === before.rule))
      continue
    decide(state, place, wanted)
    if (wanted?.as === 'placeholder' || wanted?.as === 'omitted') gone.push(place)
  }
  return gone
}

/** Thinking that was left out comes back with the parts before it, unless it was deleted. */
const isFree = ({ decisions }: ContextState, place: Place) =>
  decisions.get(place.part.id)?.rule !== 'thinking' || isDeleted(place)

/** Whether a change could not be made at this request and must be tried at the next one. */
function isWaiting({ standing: { validity } }: Place, wanted: Decision | null): boolean {
  if (validity === null || validity.rendering.moment !== 'now' || validity.rendering.how === 'keep')
    return false
  return wanted === null || wanted.as === 'reference'
}

function wantedFor(place: Place, before: Decision | null, moment: Moment): Decision | null {
  const { standing } = place
  const { validity } = standing
  // A pair is never split.
  if (halvesOf(place).some(isDeleted)) return { as: 'omitted', rule: 'deleted', step: moment.step }
  if (isKept(standing)) return null
  const kept = before !== null && isOver(before, standing) ? null : before
  if (validity === null || validity.to === 'active')
    return kept !== null && ownRules.has(kept.rule) ? kept : null
  if (kept?.as === 'placeholder' || kept?.as === 'omitted') return kept
  if (!isDue(place, validity, moment)) return kept
  return decisionOf(place, validity, { step: moment.step, tokens: tokensIf(kept, place) }) ?? kept
}

/** How many tokens a part takes if it stays as it is, or is sent in full again. */
const tokensIf = (kept: Decision | null, { tokens, sent }: Place) =>
  kept === null ? tokens : Math.min(tokens, sent)

/** Whether a decision no longer holds: its rule was rolled back, or a deletion was undone. */
const isOver = ({ rule }: Decision, { refused }: Place['standing']) => rule === 'deleted' || refused.has(rule)

function isDue(place: Place, { actor, rendering }: Manipulation, moment: Moment): boolean {
  if (actor.kind === 'person') return true
  if (!moment.rules) return false
  if (rendering.moment === 'insertion') return place.message >= moment.sent
  if (!moment.mayChange) return false
  const step = place.pair?.pair.step ?? place.step
  if (step > moment.step - recentSteps) return false
  return rendering.moment === 'now' || (rendering.moment === 'boundary' && moment.isCold)
}
