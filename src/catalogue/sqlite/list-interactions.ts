import type { Cell, Row, Sql, Tables } from '../../journal/sqlite/tables.ts'
import type { WorkOutcome } from '../../projections/work-log/work-facts.ts'
import type { Outcome, Trigger, Validity } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type {
  InteractionFilter,
  InteractionMessage,
  InteractionPage,
  InteractionRow,
} from '../list-interactions.ts'
import { deletedSql, pinnedSql, validitySql } from './interaction-marks.ts'

/** The newest interactions of a session, or those before a seq. */
export async function listInteractions(
  tables: Tables,
  session: SessionId,
  filter: InteractionFilter,
): Promise<InteractionPage> {
  const conditions = conditionsOf(session, filter)
  const rows = await tables.read(
    `select *, ${validitySql} as counts, ${deletedSql} as deleted, ${pinnedSql} as pinned
     from interaction
     where ${conditions.map(([sql]) => sql).join(' and ')} order by start_seq desc limit ?`,
    [...conditions.flatMap(([, cells]) => cells), filter.limit + 1],
  )
  const shown = rows.slice(0, filter.limit)
  const ids = JSON.stringify(shown.map(row => row['id']))
  const [messages, work] = await Promise.all([
    readMessages(tables, session, ids),
    countWork(tables, session, ids),
  ])
  const interactions = shown.toReversed().map(row => readRow(row, messages, work))
  return {
    interactions,
    next: rows.length > filter.limit ? (interactions[0]?.start.seq ?? null) : null,
  }
}

function conditionsOf(
  session: SessionId,
  { state, validity, trigger, agent, before }: InteractionFilter,
): readonly Sql[] {
  const conditions: Sql[] = [['session = ?', [session]]]
  if (state !== undefined) conditions.push(['state = ?', [state]])
  if (validity !== undefined) conditions.push([`${validitySql} = ?`, [validity]])
  if (trigger !== undefined) conditions.push(['started_by = ?', [trigger]])
  if (agent !== undefined) conditions.push(['agent = ?', [agent]])
  if (before !== undefined) conditions.push(['start_seq < ?', [before]])
  return conditions
}

type Messages = ReadonlyMap<Cell | undefined, readonly Row[]>
type Work = ReadonlyMap<Cell | undefined, readonly Row[]>

/** Without `indexed by`, SQLite reads all messages and all calls of the session for each interaction. */
async function readMessages(tables: Tables, session: SessionId, ids: string): Promise<Messages> {
  const rows = await tables.read(
    `select interaction, message.id, thread, role from json_each(?) as asked
       cross join message indexed by message_interaction on session = ? and interaction = asked.value
     order by first_seq`,
    [ids, session],
  )
  return Map.groupBy(rows, row => row['interaction'])
}

async function countWork(tables: Tables, session: SessionId, ids: string): Promise<Work> {
  const rows = await tables.read(
    `select interaction, outcome, count(*) as calls from json_each(?) as asked
       cross join tool_call indexed by tool_call_interaction on session = ? and interaction = asked.value
     group by interaction, outcome`,
    [ids, session],
  )
  return Map.groupBy(rows, row => row['interaction'])
}

function readRow(row: Row, messages: Messages, work: Work): InteractionRow {
  const counts = { pending: 0, success: 0, failure: 0, partial: 0 }
  for (const each of work.get(row['id']) ?? []) counts[each['outcome'] as WorkOutcome] = Number(each['calls'])
  return {
    id: String(row['id']),
    trigger: row['started_by'] as Trigger,
    agent: String(row['agent']),
    prompt: row['prompt'] as string | null,
    state: row['state'] as InteractionRow['state'],
    outcome: row['outcome'] as Outcome | null,
    reason: row['reason'] as string | null,
    start: { seq: Number(row['start_seq']), at: Number(row['start_at']) },
    stop: row['stop_seq'] === null ? null : { seq: Number(row['stop_seq']), at: Number(row['stop_at']) },
    validity: row['counts'] as Validity,
    deleted: row['deleted'] === 1,
    pinned: row['pinned'] === 1,
    messages: (messages.get(row['id']) ?? []).map(each => ({
      id: String(each['id']),
      thread: each['thread'] === '' ? null : String(each['thread']),
      role: each['role'] as InteractionMessage['role'],
    })),
    work: counts,
  }
}
