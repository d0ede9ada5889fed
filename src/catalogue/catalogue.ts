import type { Rule } from '../projections/rules.ts'
import type { SessionSummary } from '../projections/summary.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import type { Change, MessageRow } from './change.ts'
import type { Charge, PriceCuts } from './charges.ts'
import type { ApprovalFilter, ApprovalPlaces } from './list-approvals.ts'
import type { DecisionFilter, DecisionPage, RequestRow, RequestTotals } from './list-context.ts'
import type { InteractionFilter, InteractionPage } from './list-interactions.ts'
import type { AuditRow, AuditScope, ManipulationFilter, ManipulationPage } from './list-manipulations.ts'
import type { MessageFilter, MessagePage } from './list-messages.ts'
import type { SessionFilter, SessionPage } from './list-sessions.ts'
import type { WorkFilter, WorkPage } from './list-work.ts'
import type { UsageFilter, UsageRead } from './read-usage.ts'
import type { SessionState } from './session-state.ts'

/**
 * The rows behind every list and every question across sessions. Each database has its own implementation, and each
 * implementation passes `testCatalogue`. Every row can be made again from the journal.
 */
export interface Catalogue {
  /**
   * Saves the changes of consecutive entries of one session as one batch: in order, and all of them or none. Batches
   * of a session take effect in the order of the calls. A batch that ends before the entry of the session's stored
   * state is skipped, so that a late writer never overwrites newer rows. If the database fails, so do the
   * batches that wait behind the failed one: the rows are then behind the journal, and `catchUp` brings them up to date.
   */
  save(changes: readonly Change[]): Promise<void>
  /** The stored state of a session, without the parts of queued prompts; undefined if it is missing or of another version. */
  get(session: SessionId): Promise<SessionState | undefined>
  /** Sessions, the newest first. */
  list(filter: SessionFilter): Promise<SessionPage>
  /** The sessions that ever had an agent's own session id, newest first; with `deleted`, the deleted ones too. */
  findByAgentSession(
    agent: string,
    agentSession: string,
    options?: { readonly deleted?: boolean },
  ): Promise<readonly SessionSummary[]>
  /** The sessions that were running, waiting or connected to an agent when their state was stored. */
  unfinished(): Promise<readonly SessionId[]>
  /** Messages of a thread, the newest first, as they are or as they were at an entry. */
  messages(session: SessionId, filter: MessageFilter, asOf?: number): Promise<MessagePage>
  /** The number of messages of the main conversation that began before an entry, without those replaced by `asOf`. */
  countMessages(session: SessionId, before: number, asOf: number): Promise<number>
  /** The interactions of a message of the main thread and of all messages before it in its conversation. */
  path(session: SessionId, message: string): Promise<readonly InteractionId[]>
  findMessage(session: SessionId, id: string, thread: Thread): Promise<MessageRow | undefined>
  /** The messages of an interaction in all threads, including replaced ones, the oldest first. */
  messagesOf(session: SessionId, interaction: string): Promise<readonly MessageRow[]>
  hasInteraction(session: SessionId, interaction: InteractionId): Promise<boolean>
  /** The rules in effect in all sessions that are not deleted, those of the newest session first. */
  rules(): Promise<readonly SessionRule[]>
  /** The places of the approvals of all sessions that are not deleted, the newest first; copies in branches are left out. */
  approvals(filter: ApprovalFilter): Promise<ApprovalPlaces>
  /** The summaries of those of the sessions that have a row, in any order. */
  summaries(sessions: readonly SessionId[]): Promise<readonly SessionSummary[]>
  /** Where an approval was asked and settled. */
  findApproval(session: SessionId, approval: string): Promise<ApprovalRow | undefined>
  /** Entries of a session's work log. */
  work(session: SessionId, filter: WorkFilter): Promise<WorkPage>
  /** Interactions of a session. */
  interactions(session: SessionId, filter: InteractionFilter): Promise<InteractionPage>
  /** The audit of a session's manipulations. */
  manipulations(session: SessionId, filter: ManipulationFilter): Promise<ManipulationPage>
  /** The manipulations of some parts that are in effect, the oldest first. */
  manipulationsOf(session: SessionId, parts: readonly string[]): Promise<readonly AuditRow[]>
  /** The audit of a scope, and all rollbacks, the oldest first. */
  audit(session: SessionId, scope: AuditScope): Promise<readonly AuditRow[]>
  /** The newest request that was sent to a model, or the newest with this step. */
  contextRequest(session: SessionId, step?: number): Promise<RequestRow | undefined>
  /** The sums over all requests of a session. */
  contextTotals(session: SessionId): Promise<RequestTotals>
  /** The parts that were not sent in full. */
  contextDecisions(session: SessionId, filter: DecisionFilter): Promise<DecisionPage>
  /** All parts that were ever not sent in full, and those that other parts referred to. */
  contextParts(session: SessionId): Promise<readonly string[]>
  /** Usage across sessions. */
  usage(filter: UsageFilter): Promise<UsageRead>
  /** The tokens of some sessions, apart where prices may differ; only those of sessions with tokens that have no reported cost. */
  charges(
    sessions: readonly SessionId[],
    cutsOf: (models: readonly string[]) => Promise<PriceCuts>,
  ): Promise<ReadonlyMap<SessionId, readonly Charge[]>>
  /** The sessions whose state was stored by another version of the code, and may lack something. */
  outdated(): Promise<readonly SessionId[]>
  /** Deletes all rows of a session, so that they can be made again. */
  forget(session: SessionId): Promise<void>
}

/** A rule, and the session in which it is in effect. */
export interface SessionRule extends Rule {
  readonly session: SessionId
}

/** Where an approval is in the journal. */
interface ApprovalRow {
  readonly askedSeq: number
  readonly settledSeq: number | null
}
