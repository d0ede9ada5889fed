import type { Row, Sql, Tables } from '../../journal/sqlite/tables.ts'
import type { SessionSummary } from '../../projections/summary.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { SessionRule } from '../catalogue.ts'
import { sessionCursor } from '../cursor.ts'
import type { SessionFilter, SessionPage } from '../list-sessions.ts'
import { stateVersion, type SessionState } from '../session-state.ts'

/** Sessions by creation, the newest first. */
export async function listSessions(tables: Tables, filter: SessionFilter): Promise<SessionPage> {
  const conditions = conditionsOf(filter)
  const where = conditions.map(([sql]) => sql).join(' and ')
  const rows = await tables.read(
    `select state from session_summary where ${where} order by created_at desc, session desc limit ?`,
    [...conditions.flatMap(([, cells]) => cells), filter.limit + 1],
  )
  const sessions = rows.slice(0, filter.limit).map(summaryOf)
  const last = sessions.at(-1)
  const hasMore = rows.length > filter.limit && last !== undefined
  return { sessions, next: hasMore ? sessionCursor.write([last.createdAt, last.session]) : null }
}

/** The sessions that ever had an agent's own session id, newest first. */
export async function findByAgentSession(
  tables: Tables,
  agent: string,
  agentSession: string,
  { deleted = false }: { readonly deleted?: boolean } = {},
): Promise<readonly SessionSummary[]> {
  const rows = await tables.read(
    `select state from agent_session join session_summary using (session)
     where agent_session.agent = ? and agent_session.agent_session = ? and deleted <= ?
     order by created_at desc, session desc`,
    [agent, agentSession, Number(deleted)],
  )
  return rows.map(summaryOf)
}

/** Sessions by id, in any order. */
export async function listSummaries(
  tables: Tables,
  sessions: readonly SessionId[],
): Promise<readonly SessionSummary[]> {
  const rows = await tables.read(
    'select state from session_summary where session in (select value from json_each(?))',
    [JSON.stringify(sessions)],
  )
  return rows.map(summaryOf)
}

/** The sessions that were running, waiting or connected to an agent when their state was stored. */
export async function listUnfinished(tables: Tables): Promise<readonly SessionId[]> {
  const rows = await tables.read(
    "select session from session_summary where status in ('running', 'waiting') or connected = 1",
    [],
  )
  return rows.map(row => row['session'] as SessionId)
}

/** The rules of all sessions that are not deleted, those of the newest session first. */
export async function listRules(tables: Tables): Promise<readonly SessionRule[]> {
  const rows = await tables.read(
    `select session, state -> '$.rules' as rules from session_summary
     where state_version = ? and deleted = 0 and json_array_length(state, '$.rules') > 0
     order by created_at desc, session desc`,
    [stateVersion],
  )
  return rows.flatMap(({ session, rules }) =>
    (JSON.parse(String(rules)) as SessionState['rules']).map(rule => ({
      ...rule,
      session: session as SessionId,
    })),
  )
}

/** The summary in a row. Rows of older versions lack some fields. */
function summaryOf(row: Row): SessionSummary {
  const { summary } = JSON.parse(String(row['state'])) as SessionState
  return { ...unlisted, ...summary }
}

const unlisted = {
  deleted: false,
  pinned: false,
  branch: null,
  gitBranch: null,
  awaitsPlace: null,
  ended: null,
}

function conditionsOf(filter: SessionFilter) {
  const { query, agent, status, deleted = false, pinned, cursor } = filter
  const conditions: Sql[] = [['deleted = ?', [Number(deleted)]]]
  // A deleted session is found whether or not it was archived before.
  const isAnywhere = deleted || status === 'running' || status === 'waiting'
  const archived = filter.archived ?? (isAnywhere ? undefined : false)
  if (archived !== undefined) conditions.push(['archived = ?', [Number(archived)]])
  if (pinned !== undefined) conditions.push(['pinned = ?', [Number(pinned)]])
  if (agent !== undefined) conditions.push(['agent = ?', [agent]])
  if (status !== undefined) conditions.push(['status = ?', [status]])
  if (cursor !== undefined) conditions.push(['(created_at, session) < (?, ?)', sessionCursor.read(cursor)])
  if (query !== undefined) {
    const like = `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const columns = ['title', 'cwd', 'session', 'agent_session']
    const found = columns.map(column => String.raw`${column} like ? escape '\'`).join(' or ')
    conditions.push([`(${found})`, columns.map(() => like)])
  }
  return conditions
}
