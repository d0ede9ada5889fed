import type { Tables } from '../journal/journal.ts'
import type { SessionSummary } from '../projections/summary.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { Change, MessageRow } from './change.ts'
import {
  findByAgentSession,
  listSessions,
  listSummaries,
  listUnfinished,
  type SessionFilter,
  type SessionPage,
} from './list-sessions.ts'
import {
  findMessage,
  listInInteraction,
  listMessages,
  listPath,
  type MessageFilter,
  type MessagePage,
} from './list-messages.ts'
import { listApprovals, type ApprovalFilter, type ApprovalPlaces } from './list-approvals.ts'
import { listInteractions, type InteractionFilter, type InteractionPage } from './list-interactions.ts'
import {
  findRequest,
  listDecisions,
  listParts,
  sumRequests,
  type DecisionFilter,
  type DecisionPage,
  type RequestRow,
  type RequestTotals,
} from './list-context.ts'
import {
  listHeld,
  listManipulations,
  readAudit,
  type AuditRow,
  type AuditScope,
  type ManipulationFilter,
  type ManipulationPage,
} from './list-manipulations.ts'
import { listRules, type SessionRule } from './list-rules.ts'
import { listWork, type WorkFilter, type WorkPage } from './list-work.ts'
import { readUsage, type UsageFilter, type UsageRead } from './read-usage.ts'
import { stateVersion, type SessionState } from './session-state.ts'
import { writeOf } from './write-change.ts'

/** What is asked across sessions, in tables. All of it can be made again from the journal. */
export interface Catalogue {
  /** Writes changes down, in order. When that fails the row is behind, and catching up mends it. */
  save(changes: readonly Change[]): Promise<void>
  /** The session as its row has it, but for the words of queued prompts; undefined without a row that today's code can read. */
  get(session: SessionId): Promise<SessionState | undefined>
  /** Sessions, the newest first. */
  list(filter: SessionFilter): Promise<SessionPage>
  /** Our sessions that an agent calls by a name of its own, the newest first. */
  findByAgentSession(agent: string, agentSession: string): Promise<readonly SessionSummary[]>
  /** The sessions that were at work, or had an agent, when their row was written. */
  unfinished(): Promise<readonly SessionId[]>
  /** Messages of a thread, the newest first, as they are or as they were at an entry. */
  messages(session: SessionId, filter: MessageFilter, asOf?: number): Promise<MessagePage>
  /** How many messages of the main conversation began before an entry, as it was at another. */
  countMessages(session: SessionId, before: number, asOf: number): Promise<number>
  /** The interactions of a message of the main thread and of all before it in its conversation. */
  path(session: SessionId, message: string): Promise<readonly InteractionId[]>
  findMessage(session: SessionId, id: string, thread: Thread): Promise<MessageRow | undefined>
  /** The messages of an interaction in all threads, replaced ones included, the oldest first. */
  messagesOf(session: SessionId, interaction: string): Promise<readonly MessageRow[]>
  hasInteraction(session: SessionId, interaction: InteractionId): Promise<boolean>
  /** The rules that hold, in all sessions that are not deleted. */
  rules(): Promise<readonly SessionRule[]>
  /** Where the approvals of all sessions that are not deleted lie, the newest first. */
  approvals(filter: ApprovalFilter): Promise<ApprovalPlaces>
  /** Some sessions, as far as there are rows of them. */
  summaries(sessions: readonly SessionId[]): Promise<readonly SessionSummary[]>
  /** Where an approval was asked and settled. */
  findApproval(session: SessionId, approval: string): Promise<ApprovalRow | undefined>
  /** Lines of a session's work log. */
  work(session: SessionId, filter: WorkFilter): Promise<WorkPage>
  /** Interactions of a session. */
  interactions(session: SessionId, filter: InteractionFilter): Promise<InteractionPage>
  /** The audit of what counts in a session. */
  manipulations(session: SessionId, filter: ManipulationFilter): Promise<ManipulationPage>
  /** What was done to some parts and holds, the oldest first. */
  manipulationsOf(session: SessionId, parts: readonly string[]): Promise<readonly AuditRow[]>
  /** What a ledger of a scope is made of, the oldest first. */
  audit(session: SessionId, scope: AuditScope): Promise<readonly AuditRow[]>
  /** The newest request that a model was sent, or the newest with this number. */
  contextRequest(session: SessionId, step?: number): Promise<RequestRow | undefined>
  /** What all requests of a session were together. */
  contextTotals(session: SessionId): Promise<RequestTotals>
  /** What was not sent whole. */
  contextDecisions(session: SessionId, filter: DecisionFilter): Promise<DecisionPage>
  /** All parts that were ever sent otherwise, and those whose lines stood for theirs. */
  contextParts(session: SessionId): Promise<readonly string[]>
  /** What was used across sessions. */
  usage(filter: UsageFilter): Promise<UsageRead>
  /** The sessions whose rows were written by older code, and do not tell all. */
  outdated(): Promise<readonly SessionId[]>
  /** Forgets a session, so that it can be made again. */
  forget(session: SessionId): Promise<void>
}

/** Where an approval lies in the journal. */
interface ApprovalRow {
  readonly askedSeq: number
  readonly settledSeq: number | null
}

/** A catalogue in tables beside the journal. */
export function createCatalogue(tables: Tables): Catalogue {
  return {
    async save(changes) {
      await Promise.all(changes.map(change => tables.write(...writeOf(change))))
    },
    async get(session) {
      const sql = 'select state from session_summary where session = ? and state_version = ?'
      const [row] = await tables.read(sql, [session, stateVersion])
      return row && (JSON.parse(String(row['state'])) as SessionState)
    },
    list: filter => listSessions(tables, filter),
    findByAgentSession: (agent, agentSession) => findByAgentSession(tables, agent, agentSession),
    unfinished: () => listUnfinished(tables),
    messages: (session, filter, asOf = Number.MAX_SAFE_INTEGER) =>
      listMessages(tables, session, filter, asOf),
    async countMessages(session, before, asOf) {
      const sql = `select count(*) as messages from message
        where session = ? and thread = '' and first_seq < ? and (replaced_seq is null or replaced_seq > ?)`
      const [row] = await tables.read(sql, [session, before, asOf])
      return Number(row?.['messages'] ?? 0)
    },
    path: (session, message) => listPath(tables, session, message),
    findMessage: (session, id, thread) => findMessage(tables, session, id, thread),
    messagesOf: (session, interaction) => listInInteraction(tables, session, interaction),
    async hasInteraction(session, interaction) {
      const sql = 'select 1 from message where session = ? and interaction = ? limit 1'
      return (await tables.read(sql, [session, interaction])).length > 0
    },
    rules: () => listRules(tables),
    approvals: filter => listApprovals(tables, filter),
    summaries: sessions => listSummaries(tables, sessions),
    async findApproval(session, approval) {
      const sql = 'select asked_seq, settled_seq from approval where session = ? and id = ?'
      const [row] = await tables.read(sql, [session, approval])
      return row && { askedSeq: Number(row['asked_seq']), settledSeq: row['settled_seq'] as number | null }
    },
    work: (session, filter) => listWork(tables, session, filter),
    interactions: (session, filter) => listInteractions(tables, session, filter),
    manipulations: (session, filter) => listManipulations(tables, session, filter),
    manipulationsOf: (session, parts) => listHeld(tables, session, parts),
    audit: (session, scope) => readAudit(tables, session, scope),
    contextRequest: (session, step) => findRequest(tables, session, step),
    contextTotals: session => sumRequests(tables, session),
    contextDecisions: (session, filter) => listDecisions(tables, session, filter),
    contextParts: session => listParts(tables, session),
    usage: filter => readUsage(tables, filter),
    async outdated() {
      const sql = 'select session from session_summary where state_version <> ? order by created_at desc'
      return (await tables.read(sql, [stateVersion])).map(row => row['session'] as SessionId)
    },
    async forget(session) {
      await Promise.all(
        allTables.map(table => tables.write(`delete from ${table} where session = ?`, [session])),
      )
    },
  }
}

const allTables = [
  'session_summary',
  'message',
  'approval',
  'agent_session',
  'tool_call',
  'interaction',
  'manipulation',
  'manipulation_target',
  'context_request',
  'context_decision',
  'spent',
]
