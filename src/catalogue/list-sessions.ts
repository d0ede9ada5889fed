import type { Cell, Row, Tables } from '../journal/journal.ts'
import type { SessionSummary } from '../projections/summary.ts'
import { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { SessionState } from './session-state.ts'

/**
 * Which sessions to list. Deleted ones only when asked for, and so with archived ones, but for those that are asked
 * for as at work or waiting: nobody may wait unseen.
 */
export interface SessionFilter {
  /** Words to be found in the title, the folder or an id. */
  readonly query?: string
  readonly agent?: string
  readonly status?: SessionSummary['status']
  readonly archived?: boolean
  readonly deleted?: boolean
  /** Where the last page ended. */
  readonly cursor?: string
  readonly limit: number
}

/** Some sessions, and the cursor for the next page: null when there is none. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  readonly next: string | null
}

/** Sessions in the order in which they were created, the newest first. */
export async function listSessions(tables: Tables, filter: SessionFilter): Promise<SessionPage> {
  const conditions = conditionsOf(filter)
  const where = conditions.map(([sql]) => sql).join(' and ')
  const rows = await tables.read(
    `select state from session_summary where ${where} order by created_at desc, session desc limit ?`,
    [...conditions.flatMap(([, cells]) => cells), filter.limit + 1],
  )
  const sessions = rows.slice(0, filter.limit).map(summaryOf)
  const last = sessions.at(-1)
  return { sessions, next: rows.length > filter.limit && last !== undefined ? cursorAfter(last) : null }
}

/** The sessions that an agent calls by a name of its own, the newest first. */
export async function findByAgentSession(
  tables: Tables,
  agent: string,
  agentSession: string,
): Promise<readonly SessionSummary[]> {
  const rows = await tables.read(
    `select state from agent_session join session_summary using (session)
     where agent_session.agent = ? and agent_session.agent_session = ? and deleted = 0
     order by created_at desc, session desc`,
    [agent, agentSession],
  )
  return rows.map(summaryOf)
}

/** Sessions by their ids, in no order. */
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

/** The sessions that were at work, or had an agent, when their rows were written. */
export async function listUnfinished(tables: Tables): Promise<readonly SessionId[]> {
  const rows = await tables.read(
    "select session from session_summary where status in ('running', 'waiting') or connected = 1",
    [],
  )
  return rows.map(row => row['session'] as SessionId)
}

/** Rows of older versions do not say that a session is not deleted, branched or out of places, nor how it ended. */
function summaryOf(row: Row): SessionSummary {
  const { summary } = JSON.parse(String(row['state'])) as SessionState
  return { ...notTold, ...summary }
}

const notTold = { deleted: false, branch: null, awaitsPlace: null, ended: null }

type Condition = readonly [sql: string, cells: readonly Cell[]]

function conditionsOf(filter: SessionFilter) {
  const { query, agent, status, deleted = false, cursor } = filter
  const conditions: Condition[] = [['deleted = ?', [Number(deleted)]]]
  // Whoever looks for a deleted session need not know whether it was archived before.
  const isAnywhere = deleted || status === 'running' || status === 'waiting'
  const archived = filter.archived ?? (isAnywhere ? undefined : false)
  if (archived !== undefined) conditions.push(['archived = ?', [Number(archived)]])
  if (agent !== undefined) conditions.push(['agent = ?', [agent]])
  if (status !== undefined) conditions.push(['status = ?', [status]])
  if (cursor !== undefined) conditions.push(['(created_at, session) < (?, ?)', readCursor(cursor)])
  if (query !== undefined) {
    const like = `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const columns = ['title', 'cwd', 'session', 'agent_session']
    const found = columns.map(column => String.raw`${column} like ? escape '\'`).join(' or ')
    conditions.push([`(${found})`, columns.map(() => like)])
  }
  return conditions
}

const cursorAfter = ({ createdAt, session }: SessionSummary) => `${createdAt}~${session}`

function readCursor(cursor: string): readonly Cell[] {
  const [, at, session] = /^(\d{1,15})~([A-Za-z0-9_.:-]{1,128})$/.exec(cursor) ?? []
  if (at !== undefined && session !== undefined) return [Number(at), session]
  throw new DragomanError('invalid-input', 'The cursor is not valid. Start again without a cursor.')
}
