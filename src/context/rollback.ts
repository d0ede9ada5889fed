import type { EventOf } from '../protocol/event.ts'
import type { ManipulationId, NewId } from '../protocol/ids.ts'
import type { Actor } from '../protocol/manipulation.ts'
import type { Ledger, Manipulation } from './ledger.ts'

/** What is rolled back: one manipulation or rollback, all of a tool, all in an interaction, or all after an entry. */
export type RollbackScope =
  | { readonly manipulation: ManipulationId }
  | { readonly tool: string }
  | { readonly interaction: string }
  | { readonly afterSeq: number }

/** Who rolls back, and why. */
export interface RollbackWish {
  readonly scope: RollbackScope
  readonly actor: Actor
  readonly reason: string
}

/** The event that rolls back manipulations and all that followed from them; null if none of them is in effect. */
export function rollBack(
  ledger: Ledger,
  { scope, actor, reason }: RollbackWish,
  newId: NewId,
): EventOf<'manipulation-rolled-back' | 'manipulation-rejected'> | null {
  if (actor.kind === 'model' || actor.kind === 'tool') return refused(actor, reason)
  const manipulations = withChildren(ledger, chosen(ledger, scope))
  if (manipulations.length === 0) return null
  return {
    type: 'manipulation-rolled-back',
    rollback: newId<ManipulationId>(),
    manipulations,
    actor,
    reason,
  }
}

/** Only a person and Dragoman itself may roll back. */
const refused = (actor: Actor, reason: string): EventOf<'manipulation-rejected'> => ({
  type: 'manipulation-rejected',
  actor,
  strategy: 'rollback',
  interactions: [],
  parts: [],
  to: null,
  rendering: { how: 'keep', moment: 'now' },
  reason,
  trigger: null,
  replacedBy: null,
  causedBy: null,
  code: actor.kind === 'model' ? 'model-may-only-propose' : 'not-allowed',
  why: `A ${actor.kind} may not undo changes.`,
})

function chosen(ledger: Ledger, scope: RollbackScope): readonly ManipulationId[] {
  if ('manipulation' in scope) return [scope.manipulation]
  const all = [...ledger.manipulations.values()]
  return all.filter(each => isIn(each, scope)).map(({ id }) => id)
}

function isIn(
  { actor, interactions, seq }: Manipulation,
  scope: Exclude<RollbackScope, { readonly manipulation: ManipulationId }>,
): boolean {
  if ('tool' in scope) return actor.kind === 'tool' && actor.tool === scope.tool
  if ('interaction' in scope) return interactions.includes(scope.interaction)
  return seq > scope.afterSeq
}

/** The changes in effect, newest first, with the changes that they caused. */
function withChildren(ledger: Ledger, ids: readonly ManipulationId[]): readonly ManipulationId[] {
  const { manipulations, rollbacks } = ledger
  const taken = new Set(ids)
  // A cause comes before its effects, so one pass finds all.
  for (const { id, causedBy } of manipulations.values())
    if (causedBy !== null && taken.has(causedBy)) taken.add(id)
  const seqOf = (id: ManipulationId) => (manipulations.get(id) ?? rollbacks.get(id))?.seq ?? 0
  // Thinking is not rolled back by itself: it comes back with the parts before it.
  const canBe = (id: ManipulationId) => ledger.holds(id) && manipulations.get(id)?.strategy !== 'thinking'
  return [...taken].filter(canBe).toSorted((a, b) => seqOf(b) - seqOf(a))
}
