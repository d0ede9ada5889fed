import type { History, Ledger, Manipulation, Standing } from '../../context/index.ts'
import { untouched, type PartPlace } from '../../context/ledger.ts'

/**
 * A ledger for an agent whose own history allows changes only in the results of some calls. It has no other parts. A result that
 * a person removed is cleared, because its call stays.
 */
export function onlyResults({ ledger, messages }: History, calls: ReadonlySet<string> | null): Ledger {
  const isIn = (call: string) => calls === null || calls.has(call)
  const places = new Map<string, PartPlace>()
  const callOf = new Map<string, string>()
  const callParts = new Map<string, string>()
  for (const { message, interaction, names, pairs } of messages) {
    for (const { callId, call } of pairs) callParts.set(callId, call)
    for (const [at, part] of message.parts.entries()) {
      places.set(part.id, { id: part.id, interaction, name: names?.[at] ?? null })
      const call = part.kind === 'result' && isIn(part.call) ? callParts.get(part.call) : undefined
      if (call !== undefined) callOf.set(part.id, call)
    }
  }
  return {
    ...ledger,
    standingOf(place) {
      const call = callOf.get(place.id)
      if (call === undefined) return untouched
      const callPlace = places.get(call)
      const ofCall = callPlace === undefined ? untouched : ledger.standingOf(callPlace)
      return forResult(place.id, ledger.standingOf(place), ofCall)
    },
  }
}

function forResult(id: string, own: Standing, ofCall: Standing): Standing {
  const removed = [own, ofCall].map(({ deleted }) => deleted).find(each => each?.to === 'deleted')
  if (removed) return { ...own, deleted: null, validity: clearing(id, removed) }
  const { validity } = own
  // The validity of a whole interaction applies to each result in it.
  return validity?.parts === null ? { ...own, validity: { ...validity, parts: [id] } } : own
}

const clearing = (id: string, removed: Manipulation): Manipulation => ({
  ...removed,
  to: 'archived',
  rendering: { how: 'clear', moment: 'now' },
  parts: [id],
})
