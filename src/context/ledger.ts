import type { EventOf } from '../protocol/event.ts'
import type { ManipulationId } from '../protocol/ids.ts'
import type { Actor, Mark, Rendering } from '../protocol/manipulation.ts'

/** One manipulation as the ledger keeps it. */
export interface Manipulation {
  readonly id: ManipulationId
  readonly seq: number
  readonly at: number
  /** Which change of the ledger it was. */
  readonly revision: number
  readonly actor: Actor
  readonly strategy: string
  readonly to: Mark | null
  readonly rendering: Rendering
  readonly reason: string
  readonly causedBy: ManipulationId | null
  readonly trigger: string | null
  readonly replacedBy: string | null
  readonly interactions: readonly string[]
  /** Null is all parts of its interactions. */
  readonly parts: readonly string[] | null
}

/** The position of a part, as far as the ledger needs it. */
export interface PartPlace {
  readonly id: string
  readonly interaction: string
  /** What the stream of chunks calls it, within its interaction. */
  readonly name?: string | null
}

/** The state of one part: the last manipulation of each kind that was not rolled back, or null. */
export interface Standing {
  readonly validity: Manipulation | null
  readonly deleted: Manipulation | null
  readonly pinned: Manipulation | null
  /** The last one that only changes how the part is sent. */
  readonly rendering: Manipulation | null
  /** The rules whose changes of it were rolled back: they no longer change it. */
  readonly refused: ReadonlySet<string>
  /** Whether a person rolled back a change of it: no rule touches it until the person changes it. */
  readonly isProtected: boolean
}

/** One proposal that was refused. */
export type Rejected = EventOf<'manipulation-rejected'> & {
  readonly seq: number
  readonly at: number
  readonly revision: number
}

/** One rollback, and the manipulations that it undid. */
export interface Rollback {
  readonly id: ManipulationId
  readonly seq: number
  readonly at: number
  readonly revision: number
  readonly actor: Actor
  readonly reason: string
  readonly manipulations: readonly ManipulationId[]
}

/** The validity of parts: a projection of the manipulations in a journal, and their audit. */
export interface Ledger {
  /** Counts the events that changed it: two ledgers of a session with the same number are the same. */
  readonly revision: number
  /** All manipulations in order, those included that were rolled back. */
  readonly manipulations: ReadonlyMap<ManipulationId, Manipulation>
  readonly rollbacks: ReadonlyMap<ManipulationId, Rollback>
  readonly rejected: readonly Rejected[]
  /** Whether a manipulation, or a rollback, holds. */
  holds(id: ManipulationId): boolean
  standingOf(part: PartPlace): Standing
  /** The parts whose state changed since an earlier ledger; null when it may be any part. */
  changedSince(revision: number): ReadonlySet<string> | null
}

const nobody: ReadonlySet<never> = new Set()

/** The state of a part that was never changed. */
export const untouched: Standing = {
  validity: null,
  deleted: null,
  pinned: null,
  rendering: null,
  refused: nobody,
  isProtected: false,
}

/** A ledger without manipulations. */
export const emptyLedger: Ledger = {
  revision: 0,
  manipulations: new Map(),
  rollbacks: new Map(),
  rejected: [],
  holds: () => false,
  standingOf: () => untouched,
  changedSince: () => nobody,
}

/** The validity of a part, or that it is deleted. */
export function markOf({ validity, deleted }: Standing): Mark {
  if (deleted?.to === 'deleted') return 'deleted'
  return validity?.to ?? 'active'
}

/** Whether a person protected it: pinned it, restored it, or rolled back a change of it. */
export const isKept = ({ pinned, validity, isProtected }: Standing): boolean =>
  isProtected || pinned?.to === 'pinned' || (validity?.to === 'active' && validity.actor.kind === 'person')
