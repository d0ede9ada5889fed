import { materialise } from './clear.ts'
import type { ContextState, Place } from './context-state.ts'
import { decide } from './decide.ts'
import { decisionOf } from './decision-of.ts'
import { isKept, untouched, type Ledger, type Manipulation } from './ledger.ts'
import type { Decision } from './manifest.ts'

/** The rules of the compiler itself: what they decided stays until it is taken back. */
const ownRules = new Set(['duplicate', 'cold', 'unused', 'pressure'])

/** The newest requests, in which no tool and no policy clears anything. */
export const recentSteps = 3

/** What is possible at this request. */
export interface Moment {
  readonly step: number
  /** How many messages were sent before: later ones are about to be sent for the first time. */
  readonly sent: number
  /** Whether earlier words may be changed at all, and whether that is free. */
  readonly mayChange: boolean
  readonly isCold: boolean
  /** Whether the policy clears what tools and rules found obsolete; a person's word always counts. */
  readonly rules: boolean
}

/** Learns what the ledger says of each part, as far as that is new. */
export function learn(state: ContextState, ledger: Ledger): void {
  if (state.ledger === ledger) return
  const since = state.ledger?.revision ?? 0
  const told = since <= ledger.revision ? ledger.toldSince(since) : null
  state.ledger = ledger
  const places = told === null ? state.places.values() : [...told].flatMap(id => state.places.get(id) ?? [])
  for (const place of places) look(state, place, ledger)
}

/** Learns what the ledger says of a part that was not there before. */
export function learnOf(state: ContextState, place: Place): void {
  if (state.ledger !== null && state.ledger.revision > 0) look(state, place, state.ledger)
}

function look(state: ContextState, place: Place, ledger: Ledger): void {
  const before = place.standing
  place.standing = ledger.standingOf(placeIn(place))
  // A result that comes after its call was deleted has nothing said of itself, and goes with the call.
  if (before === untouched && halvesOf(place).every(({ standing }) => standing === untouched)) return
  for (const half of halvesOf(place)) {
    state.told.add(half)
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

/** Does what the ledger says: leaves out, clears, notes, and shows again what was rolled back. */
export function applyLedger(state: ContextState, moment: Moment): void {
  // What goes may have been what others refer to: those are longer then, and may have to go as well.
  for (let gone = decideDue(state, moment); gone.length > 0; gone = decideDue(state, moment))
    materialise(state, gone)
}

/** Decides what has to be looked at; gives what is no longer sent. */
function decideDue(state: ContextState, moment: Moment): readonly Place[] {
  const gone: Place[] = []
  // While the cache is warm only what is new, or could not be done before, has to be looked at.
  const due = [...(moment.isCold ? state.told : state.fresh)]
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

/** Thinking that was left out follows the words before it, whatever is wished; only what is deleted stays away. */
const isFree = ({ decisions }: ContextState, place: Place) =>
  decisions.get(place.part.id)?.rule !== 'thinking' || isDeleted(place)

/** Whether something is to be done at the next request that could not be done at this one. */
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

/** How many tokens a part takes if it stays as it is, or becomes whole again: references to its lines are few already. */
const tokensIf = (kept: Decision | null, { tokens, sent }: Place) =>
  kept === null ? tokens : Math.min(tokens, sent)

/** Whether what was decided is void by now: its rule was taken back, or it was deleted and is no more. */
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
