import { createFold, type Fold } from '../projections/fold.ts'
import type { Entry } from '../protocol/entry.ts'
import type { EventOf } from '../protocol/event.ts'
import type { ManipulationId } from '../protocol/ids.ts'
import type { Mark } from '../protocol/manipulation.ts'
import {
  untouched,
  type Ledger,
  type Manipulation,
  type PartPlace,
  type Rejected,
  type Rollback,
  type Standing,
} from './ledger.ts'

interface Draft {
  revision: number
  readonly manipulations: Map<ManipulationId, Manipulation>
  readonly rollbacks: Map<ManipulationId, Rollback>
  readonly rejected: Rejected[]
  /** The rollbacks of each manipulation, the oldest first. */
  readonly takenBack: Map<ManipulationId, Rollback[]>
  /** For each manipulation and rollback that was ever switched, the revisions at which: off, on, off … */
  readonly switched: Map<ManipulationId, number[]>
  /** By part, by the part's id in the stream, and by interaction as a whole. */
  readonly byPart: Map<string, Manipulation[]>
  readonly byName: Map<string, Manipulation[]>
  readonly byInteraction: Map<string, Manipulation[]>
  /** The parts that each revision is about; null for any. */
  readonly about: (readonly string[] | null)[]
}

/**
 * Folds entries into the ledger. It only grows: a rollback is an entry more, never one less. So a view needs no copy: it
 * reads only up to its revision.
 */
export function createLedgerFold(): Fold<Ledger> {
  const draft: Draft = {
    revision: 0,
    manipulations: new Map(),
    rollbacks: new Map(),
    rejected: [],
    takenBack: new Map(),
    switched: new Map(),
    byPart: new Map(),
    byName: new Map(),
    byInteraction: new Map(),
    about: [],
  }
  return createFold(
    entry => take(draft, entry),
    () => viewOf(draft, draft.revision),
  )
}

function take(draft: Draft, entry: Entry): boolean {
  const { event, seq, at } = entry
  const revision = draft.revision + 1
  if (event.type === 'manipulation-applied') record(draft, applied(entry, event, revision))
  else if (event.type === 'validity-changed') record(draft, olderManipulation(entry, event, revision))
  else if (event.type === 'manipulation-rolled-back') rollBack(draft, entry, event, revision)
  else if (event.type === 'manipulation-rejected') {
    draft.rejected.push({ ...event, seq, at, revision })
    draft.about.push([])
  } else return false
  draft.revision = revision
  return true
}

function applied({ seq, at }: Entry, event: EventOf<'manipulation-applied'>, revision: number): Manipulation {
  const { type: _, manipulation: id, before: __, tokens: ___, effective: ____, ...proposal } = event
  return { ...proposal, id, seq, at, revision }
}

/** Validity changes of older journals keep their meaning: a person made them, and they take effect at once. */
function olderManipulation(
  { seq, at }: Entry,
  event: EventOf<'validity-changed'>,
  revision: number,
): Manipulation {
  const { target, to, by, reason } = event
  return {
    id: `validity-${seq}` as ManipulationId,
    seq,
    at,
    revision,
    actor: { kind: 'person', name: by },
    strategy: 'set-validity',
    to,
    rendering: { how: to === 'active' ? 'keep' : 'clear', what: 'both', moment: 'now' },
    reason,
    causedBy: null,
    trigger: null,
    replacedBy: null,
    interactions: [target.interaction],
    parts: target.parts === undefined ? null : target.parts.map(name => nameKey(target.interaction, name)),
  }
}

const nameKey = (interaction: string, name: string) => `${interaction} ${name}`

function record(draft: Draft, manipulation: Manipulation): void {
  const { id, parts, interactions, strategy } = manipulation
  const isNew = !draft.manipulations.has(id)
  const isNamed = strategy === 'set-validity'
  draft.about.push(isNew ? (isNamed ? null : parts) : [])
  if (!isNew) return
  draft.manipulations.set(id, manipulation)
  const map = parts === null ? draft.byInteraction : isNamed ? draft.byName : draft.byPart
  for (const key of parts ?? interactions) {
    const known = map.get(key)
    if (known === undefined) map.set(key, [manipulation])
    else known.push(manipulation)
  }
}

/** A rollback switches off what holds; a rollback of a rollback switches on what that one switched off. */
function rollBack(
  draft: Draft,
  { seq, at }: Entry,
  event: EventOf<'manipulation-rolled-back'>,
  revision: number,
): void {
  const { rollback: id, actor, reason } = event
  const about: string[] | null = []
  draft.about.push(about)
  if (draft.rollbacks.has(id)) return
  const manipulations = event.manipulations.filter(each => {
    const isKnown = draft.manipulations.has(each) || draft.rollbacks.has(each)
    return isKnown && isOn(draft, each, revision)
  })
  const rollback = { id, seq, at, revision, actor, reason, manipulations }
  draft.rollbacks.set(id, rollback)
  for (const each of manipulations) {
    draft.takenBack.set(each, [...(draft.takenBack.get(each) ?? []), rollback])
    flip(draft, each, revision)
  }
}

/** Switches a rollback or manipulation, and everything that it had switched. */
function flip(draft: Draft, id: ManipulationId, revision: number): void {
  const at = draft.switched.get(id)
  if (at === undefined) draft.switched.set(id, [revision])
  else at.push(revision)
  const { parts = [] } = draft.manipulations.get(id) ?? {}
  const isLoose = parts === null || draft.manipulations.get(id)?.strategy === 'set-validity'
  const last = draft.about.length - 1
  const about = draft.about[last]
  draft.about[last] = isLoose || about === null || about === undefined ? null : [...about, ...parts]
  for (const each of draft.rollbacks.get(id)?.manipulations ?? []) flip(draft, each, revision)
}

/** Whether a manipulation or rollback is in effect at a revision. */
function isOn({ switched }: Draft, id: ManipulationId, revision: number): boolean {
  const at = switched.get(id)
  if (at === undefined) return true
  let count = 0
  while (count < at.length && (at[count] ?? 0) <= revision) count += 1
  return count % 2 === 0
}

function viewOf(draft: Draft, revision: number): Ledger {
  const isThere = (each: { readonly revision: number }) => each.revision <= revision
  const thereIn = <Value extends { readonly revision: number }>(map: Map<ManipulationId, Value>) =>
    new Map([...map].filter(([, each]) => isThere(each)))
  const saidOf = ({ id, interaction, name }: PartPlace) => [
    ...(draft.byPart.get(id) ?? []),
    ...((name !== undefined && name !== null && draft.byName.get(nameKey(interaction, name))) || []),
    ...(draft.byInteraction.get(interaction) ?? []),
  ]
  return {
    revision,
    get manipulations() {
      return thereIn(draft.manipulations)
    },
    get rollbacks() {
      return thereIn(draft.rollbacks)
    },
    get rejected() {
      return draft.rejected.filter(isThere)
    },
    holds(id) {
      const known = draft.manipulations.get(id) ?? draft.rollbacks.get(id)
      return known !== undefined && isThere(known) && isOn(draft, id, revision)
    },
    standingOf(part) {
      const all = saidOf(part).filter(isThere)
      return all.length === 0 ? untouched : standing(draft, all, revision)
    },
    changedSince(earlier) {
      const about = draft.about.slice(earlier, revision)
      return about.includes(null) ? null : new Set(about.flatMap(parts => parts ?? []))
    },
  }
}

type Axis = 'validity' | 'deleted' | 'pinned' | 'rendering'

const axes: Readonly<Record<Mark, Axis>> = {
  active: 'validity',
  superseded: 'validity',
  invalidated: 'validity',
  archived: 'validity',
  deleted: 'deleted',
  undeleted: 'deleted',
  pinned: 'pinned',
  unpinned: 'pinned',
}

function standing(draft: Draft, all: readonly Manipulation[], revision: number): Standing {
  const last: Record<Axis, Manipulation | null> = {
    validity: null,
    deleted: null,
    pinned: null,
    rendering: null,
  }
  const refused = new Set<string>()
  let restored = 0
  let changed = 0
  for (const each of all.toSorted((a, b) => a.seq - b.seq)) {
    if (isOn(draft, each.id, revision)) {
      last[each.to === null ? 'rendering' : axes[each.to]] = each
      if (each.actor.kind === 'person') changed = each.seq
    } else {
      refused.add(each.strategy)
      restored = Math.max(restored, restoredBy(draft, each, revision))
    }
  }
  return { ...last, refused, isProtected: restored > changed }
}

/**
 * The entry with which a person undid the change of a rule or a tool; 0 if there is none. Undoing a change of
 * their own does not protect from rules.
 */
function restoredBy(draft: Draft, { id, to, actor }: Manipulation, revision: number): number {
  if (actor.kind === 'person' || (to !== null && !takesAway.has(to))) return 0
  const rollbacks = draft.takenBack.get(id) ?? []
  const last = rollbacks.findLast(each => each.revision <= revision && isOn(draft, each.id, revision))
  return last?.actor.kind === 'person' ? last.seq : 0
}

const takesAway: ReadonlySet<Mark> = new Set(['superseded', 'invalidated', 'archived', 'deleted'])
