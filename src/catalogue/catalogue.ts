import type { Tables } from '../journal/journal.ts'
import type { SessionSummary } from '../projections/summary.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { Change, MessageRow } from './change.ts'
import {
  findByAgentSession,
  listSessions,
  listUnfinished,
  type SessionFilter,
  type SessionPage,
} from './list-sessions.ts'
import { findMessage, listMessages, listPath, type MessageFilter, type MessagePage } from './list-messages.ts'
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
  hasInteraction(session: SessionId, interaction: InteractionId): Promise<boolean>
  /** Where an approval was asked and settled. */
  findApproval(session: SessionId, approval: string): Promise<ApprovalRow | undefined>
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
    async hasInteraction(session, interaction) {
      const sql = 'select 1 from message where session = ? and interaction = ? limit 1'
      return (await tables.read(sql, [session, interaction])).length > 0
    },
    async findApproval(session, approval) {
      const sql = 'select asked_seq, settled_seq from approval where session = ? and id = ?'
      const [row] = await tables.read(sql, [session, approval])
      return row && { askedSeq: Number(row['asked_seq']), settledSeq: row['settled_seq'] as number | null }
    },
    async forget(session) {
      const all = ['session_summary', 'message', 'approval', 'agent_session']
      await Promise.all(all.map(table => tables.write(`delete from ${table} where session = ?`, [session])))
    },
  }
}
