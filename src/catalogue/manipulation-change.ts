import type { Entry } from '../protocol/entry.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Actor, Mark } from '../protocol/manipulation.ts'

interface Place {
  readonly session: SessionId
  readonly seq: number
}

/** The target of a manipulation. */
export interface Target {
  readonly what: 'part' | 'interaction' | 'whole'
  readonly name: string
}

/** The events that the audit is made of. */
export type AuditEvent = EventOf<
  'manipulation-applied' | 'manipulation-rejected' | 'manipulation-rolled-back' | 'validity-changed'
>

/** A change of an entry to manipulations and requests. */
export type ManipulationChange =
  | ({
      readonly type: 'audit-noted'
      readonly at: number
      readonly kind: 'applied' | 'rejected' | 'rolled-back'
      readonly id: string | null
      readonly actor: Actor
      readonly mark: Mark | null
      readonly event: AuditEvent
    } & Place)
  | ({ readonly type: 'audit-aimed'; readonly targets: readonly Target[] } & Place)
  /** The three steps of a rollback that was noted: its targets, the switches that it makes, and their effect. */
  | ({ readonly type: 'audit-flipped' | 'audit-reverted' | 'audit-rollback-aimed' } & Place)
  | ({ readonly type: 'audit-requested'; readonly event: EventOf<'context-compiled'> } & Place)
  | ({
      readonly type: 'audit-decisions-ended' | 'audit-decisions-made'
      readonly changes: EventOf<'context-compiled'>['changes']
    } & Place)

/** The changes of an entry about manipulations and requests. */
export function manipulationChangesOf(entry: Entry): readonly ManipulationChange[] {
  const { event } = entry
  if (event.type === 'context-compiled') return changesOfRequest(entry, event)
  if (!isAudited(event)) return []
  const { session, seq, at } = entry
  const place = { session, seq }
  const noted = { type: 'audit-noted', ...place, at, ...factsOf(seq, event), event } as const
  if (event.type === 'manipulation-rolled-back')
    return [
      noted,
      { type: 'audit-rollback-aimed', ...place },
      { type: 'audit-flipped', ...place },
      { type: 'audit-reverted', ...place },
    ]
  return [noted, { type: 'audit-aimed', ...place, targets: targetsOf(event) }]
}

const isAudited = (event: Event): event is AuditEvent =>
  event.type === 'manipulation-applied' ||
  event.type === 'manipulation-rejected' ||
  event.type === 'manipulation-rolled-back' ||
  event.type === 'validity-changed'

function factsOf(seq: number, event: AuditEvent) {
  switch (event.type) {
    case 'manipulation-applied':
      return { kind: 'applied', id: event.manipulation, actor: event.actor, mark: event.to } as const
    case 'manipulation-rejected':
      return { kind: 'rejected', id: null, actor: event.actor, mark: event.to } as const
    case 'manipulation-rolled-back':
      return { kind: 'rolled-back', id: event.rollback, actor: event.actor, mark: null } as const
    case 'validity-changed':
      // The same id as in the ledger.
      return {
        kind: 'applied',
        id: `validity-${seq}`,
        actor: { kind: 'person', name: event.by },
        mark: event.to,
      } as const
  }
}

function targetsOf(event: Exclude<AuditEvent, EventOf<'manipulation-rolled-back'>>): readonly Target[] {
  const { interactions, parts, isWhole } =
    event.type === 'validity-changed'
      ? { interactions: [event.target.interaction], parts: [], isWhole: false }
      : { interactions: event.interactions, parts: event.parts, isWhole: event.whole === true }
  return [
    ...interactions.map(name => ({ what: 'interaction', name }) as const),
    ...(isWhole ? interactions.map(name => ({ what: 'whole', name }) as const) : []),
    ...parts.map(name => ({ what: 'part', name }) as const),
  ]
}

function changesOfRequest(
  { session, seq }: Entry,
  event: EventOf<'context-compiled'>,
): readonly ManipulationChange[] {
  const place = { session, seq }
  const noted = { type: 'audit-requested', ...place, event } as const
  // If a part has several changes, the last one is used.
  const changes = [...new Map(event.changes.map(each => [each.part, each])).values()]
  if (changes.length === 0) return [noted]
  return [
    noted,
    { type: 'audit-decisions-ended', ...place, changes },
    { type: 'audit-decisions-made', ...place, changes },
  ]
}
