/**
 * `dragoman/journal`: everything for the author of a store. A store is a journal, a bell and a catalogue; each has its
 * contract, and a suite of tests for it. The journal in memory is the reference implementation.
 */

export * from '../journal/index.ts'
export { uuidV7 } from '../protocol/ids.ts'
export type { NodeFolder, Store } from './store.ts'
export type { Catalogue, SessionRule } from '../catalogue/catalogue.ts'
export { entryOf, type Change, type MessageBeginning, type MessageRow } from '../catalogue/change.ts'
export type { ApprovalChange } from '../catalogue/approval-change.ts'
export type { InteractionChange } from '../catalogue/interaction-change.ts'
export type { AuditEvent, ManipulationChange } from '../catalogue/manipulation-change.ts'
export type { UsageChange } from '../catalogue/usage-change.ts'
export type { WorkChange } from '../catalogue/work-change.ts'
export { stateVersion, type SessionState } from '../catalogue/session-state.ts'
export { advance, type Advanced } from '../catalogue/advance.ts'
export { catchUp, rebuildRows } from '../catalogue/catch-up.ts'
export { approvalCursor, entryCursor, sessionCursor, type Cursor } from '../catalogue/cursor.ts'
export { nameOfDay, stretchesOf, type Zone } from '../catalogue/days.ts'
export type { ApprovalFilter, ApprovalPlace, ApprovalPlaces } from '../catalogue/list-approvals.ts'
export type {
  DecisionFilter,
  DecisionPage,
  DecisionRow,
  RequestRow,
  RequestTotals,
} from '../catalogue/list-context.ts'
export type {
  InteractionFilter,
  InteractionMessage,
  InteractionPage,
  InteractionRow,
} from '../catalogue/list-interactions.ts'
export type {
  AuditRow,
  AuditScope,
  ManipulationFilter,
  ManipulationPage,
} from '../catalogue/list-manipulations.ts'
export type { MessageFilter, MessagePage } from '../catalogue/list-messages.ts'
export type { SessionFilter, SessionPage } from '../catalogue/list-sessions.ts'
export type { WorkFilter, WorkPage } from '../catalogue/list-work.ts'
export type {
  Grouping,
  UsageFilter,
  UsageGroup,
  UsageRead,
  UsageRow,
  UsageSums,
} from '../catalogue/read-usage.ts'
export { testCatalogue, type OpenCatalogue } from '../catalogue/test-catalogue.ts'
