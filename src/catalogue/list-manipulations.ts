import type { Actor } from '../protocol/manipulation.ts'
import type { AuditEvent } from './manipulation-change.ts'

/** Which manipulations of a session to list. */
export interface ManipulationFilter {
  readonly kind?: AuditRow['kind']
  readonly actor?: Actor['kind']
  /** Only those made by this tool, or by a tool of this owner. */
  readonly tool?: string
  readonly owner?: string
  /** Only those about this interaction, about a part of this message, or about this part. */
  readonly interaction?: string
  readonly message?: string
  readonly part?: string
  /** Only those before this seq. */
  readonly before?: number
  readonly limit: number
}

/** A manipulation, a refused one or a rollback, as the audit has it. */
export interface AuditRow {
  /** Null for a refused manipulation. */
  readonly id: string | null
  readonly seq: number
  readonly at: number
  readonly kind: 'applied' | 'rejected' | 'rolled-back'
  /** Whether it is in effect: not refused and not rolled back. */
  readonly holds: boolean
  readonly event: AuditEvent
}

/** Rows of the audit, the oldest first, and the `before` of the page before them: null on the first page. */
export interface ManipulationPage {
  readonly manipulations: readonly AuditRow[]
  readonly next: number | null
}

/** Which rows of the audit, each together with the manipulations that it caused: the targets, the ids, or where they came from. */
export type AuditScope =
  | { readonly parts: readonly string[]; readonly interactions: readonly string[] }
  | { readonly ids: readonly string[] }
  | { readonly tool: string }
  | { readonly interaction: string }
  | { readonly after: number }
