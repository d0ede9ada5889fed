import type { Row, Sql, Tables } from '../../journal/sqlite/tables.ts'
import type { Moment } from '../../projections/moment.ts'
import type { CallApproval } from '../../projections/tool-calls.ts'
import { entryOf } from '../../projections/work-log/work-log-entry.ts'
import type { WorkPair, WorkResult, WorkSubject } from '../../projections/work-log/work-facts.ts'
import { isFamily } from '../../protocol/known-tools.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { entryCursor } from '../cursor.ts'
import type { WorkFilter, WorkPage } from '../list-work.ts'

/** The newest entries of a work log, or those before a cursor. */
export async function listWork(tables: Tables, session: SessionId, filter: WorkFilter): Promise<WorkPage> {
  const conditions = conditionsOf(session, filter)
  const rows = await tables.read(
    `select * from tool_call where ${conditions.map(([sql]) => sql).join(' and ')}
     order by ${few(filter)}start_seq desc, ${few(filter)}place desc limit ?`,
    [...conditions.flatMap(([, cells]) => cells), filter.limit + 1],
  )
  const shown = rows.slice(0, filter.limit)
  const last = shown.at(-1)
  const next =
    rows.length > filter.limit && last !== undefined
      ? entryCursor.write([Number(last['start_seq']), Number(last['place'])])
      : null
  return { entries: shown.toReversed().map(row => entryOf(pairOf(row))), next }
}

/** A message has few calls. `+` makes SQLite find them by the message, instead of reading all calls in order. */
const few = ({ message }: WorkFilter) => (message === undefined ? '' : '+')

function conditionsOf(
  session: SessionId,
  { interaction, message, tool, outcome, thread, cursor }: WorkFilter,
): readonly Sql[] {
  const conditions: Sql[] = [['session = ?', [session]]]
  if (interaction !== undefined) conditions.push(['interaction = ?', [interaction]])
  if (message !== undefined) conditions.push(['message = ?', [message]])
  if (tool !== undefined) conditions.push([isFamily(tool) ? 'family = ?' : 'tool = ?', [tool]])
  if (outcome !== undefined) conditions.push(['outcome = ?', [outcome]])
  if (thread === '') conditions.push(["thread = ''", []])
  else if (thread !== undefined) conditions.push(["thread = ? and thread <> ''", [thread]])
  if (cursor !== undefined) conditions.push(['(start_seq, place) < (?, ?)', entryCursor.read(cursor)])
  return conditions
}

function pairOf(row: Row): WorkPair {
  return {
    toolCallId: String(row['call']),
    message: String(row['message']),
    thread: row['thread'] === '' ? null : String(row['thread']),
    interaction: row['interaction'] as string | null,
    start: { seq: Number(row['start_seq']), at: Number(row['start_at']) },
    ready: momentIn(row, 'ready'),
    end: momentIn(row, 'end'),
    closed: row['closed'] === 1,
    approval: approvalIn(row),
    duration: row['duration'] as number | null,
    subject: JSON.parse(String(row['subject'])) as WorkSubject,
    result: row['result'] === null ? null : (JSON.parse(String(row['result'])) as WorkResult),
  }
}

function approvalIn(row: Row): CallApproval | null {
  const asked = momentIn(row, 'asked')
  if (asked === null) return null
  const approved = row['approved'] === null ? null : row['approved'] === 1
  return { asked, answered: momentIn(row, 'answered'), approved }
}

function momentIn(row: Row, name: 'ready' | 'asked' | 'answered' | 'end'): Moment | null {
  const seq = row[`${name}_seq`] as number | null
  return seq === null ? null : { seq, at: Number(row[`${name}_at`]) }
}
