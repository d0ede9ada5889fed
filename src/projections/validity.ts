import type { Entry } from '../protocol/entry.ts'
import type { EventOf, Validity } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { momentOf, type Moment } from './moment.ts'

/** One change of validity: who did it, why, and what replaced it. `parts` is null for the whole interaction. */
export interface ValidityChange extends Moment {
  readonly to: Validity
  readonly by: string
  readonly reason: string
  readonly replacedBy: InteractionId | null
  readonly parts: readonly string[] | null
}

/** The changes of validity of one interaction and its parts. */
export interface ValidityLedger {
  /** Every change, the oldest first. */
  readonly history: ValidityChange[]
  /** The last change of the whole. */
  whole: ValidityChange | null
  /** The last change that named each part. */
  readonly parts: Map<string, ValidityChange>
}

/** A ledger without changes: everything is active. */
export const createLedger = (): ValidityLedger => ({ history: [], whole: null, parts: new Map() })

/** Writes a change down. */
export function recordChange(ledger: ValidityLedger, entry: Entry, event: EventOf<'validity-changed'>): void {
  const { to, by, reason, replacedBy, target } = event
  noteChange(ledger, { ...momentOf(entry), to, by, reason, replacedBy, parts: target.parts ?? null })
}

/** Writes down a change that another ledger held. */
export function noteChange(ledger: ValidityLedger, change: ValidityChange): void {
  ledger.history.push(change)
  if (change.parts === null) ledger.whole = change
  for (const part of change.parts ?? []) ledger.parts.set(part, change)
}

/** The change that decides about a part: the last one, of the part or of the whole. Null means active. */
export function decisiveChange({ whole, parts }: ValidityLedger, part: string | null): ValidityChange | null {
  const own = part === null ? undefined : parts.get(part)
  return own !== undefined && own.seq > (whole?.seq ?? 0) ? own : whole
}

/** The change that decides about several parts together: they count as long as one of them does. */
export function decisiveOfAll(ledger: ValidityLedger, parts: Iterable<string | null>): ValidityChange | null {
  let last: ValidityChange | null = null
  for (const part of parts) {
    const change = decisiveChange(ledger, part)
    if (change === null || change.to === 'active') return change
    if (last === null || change.seq > last.seq) last = change
  }
  const { whole } = ledger
  return whole === null || whole.to === 'active' ? last : whole
}
