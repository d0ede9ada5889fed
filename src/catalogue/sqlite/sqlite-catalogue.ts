import type { SessionId } from '../../protocol/ids.ts'
import type { Tables } from '../../journal/sqlite/tables.ts'
import type { Catalogue } from '../catalogue.ts'
import { entryOf } from '../change.ts'
import { stateVersion, type SessionState } from '../session-state.ts'
import { listApprovals } from './list-approvals.ts'
import { findRequest, listDecisions, listParts, sumRequests } from './list-context.ts'
import { listInteractions } from './list-interactions.ts'
import { listHeld, listManipulations, readAudit } from './list-manipulations.ts'
import { findMessage, listInInteraction, listMessages, listPath } from './list-messages.ts'
import {
  findByAgentSession,
  listRules,
  listSessions,
  listSummaries,
  listUnfinished,
} from './list-sessions.ts'
import { listWork } from './list-work.ts'
import { readSessionCharges } from './read-charges.ts'
import { readUsage } from './read-usage.ts'
import { writesOf } from './write-change.ts'

/** The catalogue in tables of the journal's database. */
export function createSqliteCatalogue(tables: Tables): Catalogue {
  return {
    async save(changes) {
      const last = changes.at(-1)
      if (last === undefined) return
      const { session, seq } = entryOf(last)
      await tables.write({ statements: changes.flatMap(writesOf), unless: [newerRow, [session, seq]] })
    },
    async get(session) {
      const sql = 'select state from session_summary where session = ? and state_version = ?'
      const [row] = await tables.read(sql, [session, stateVersion])
      return row && readState(String(row['state']))
    },
    list: filter => listSessions(tables, filter),
    findByAgentSession: (agent, agentSession, options) =>
      findByAgentSession(tables, agent, agentSession, options),
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
    charges: (sessions, cutsOf) => readSessionCharges(tables, sessions, cutsOf),
    async outdated() {
      const sql = 'select session from session_summary where state_version <> ? order by created_at desc'
      return (await tables.read(sql, [stateVersion])).map(row => row['session'] as SessionId)
    },
    async forget(session) {
      await tables.write({
        statements: allTables.map(table => [`delete from ${table} where session = ?`, [session]]),
      })
    },
  }
}

/** A state that is damaged counts as missing: it is made again from the journal. */
function readState(text: string): SessionState | undefined {
  try {
    return JSON.parse(text) as SessionState
  } catch {
    return undefined
  }
}

const newerRow = 'select 1 from session_summary where session = ? and seq > ?'

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
  'model_request',
  'session_branch',
]
