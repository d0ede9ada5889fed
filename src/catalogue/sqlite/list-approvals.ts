import type { Row, Sql, Tables } from '../../journal/sqlite/tables.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { approvalCursor } from '../cursor.ts'
import type { ApprovalFilter, ApprovalPlace, ApprovalPlaces } from '../list-approvals.ts'

/** Approvals of all sessions that are not deleted, the newest first, without copies in branches. */
export async function listApprovals(tables: Tables, filter: ApprovalFilter): Promise<ApprovalPlaces> {
  const conditions = conditionsOf(filter)
  // With a cross join SQLite reads approvals in the order of the index, instead of sorting all of them.
  const rows = await tables.read(
    `select approval.* from approval cross join session_summary using (session)
     where ${conditions.map(([sql]) => sql).join(' and ')}
     order by asked_at desc, approval.session desc, asked_seq desc, place desc limit ?`,
    [...conditions.flatMap(([, cells]) => cells), filter.limit + 1],
  )
  const shown = rows.slice(0, filter.limit)
  const last = shown.at(-1)
  return {
    places: shown.map(placeOf),
    next: rows.length > filter.limit && last !== undefined ? cursorAfter(last) : null,
  }
}

function conditionsOf({ status, cursor }: ApprovalFilter): readonly Sql[] {
  const conditions: Sql[] = [['deleted = 0 and copied = 0', []]]
  if (status !== undefined) conditions.push([`over_seq is ${status === 'pending' ? '' : 'not '}null`, []])
  if (cursor !== undefined)
    conditions.push([
      '(asked_at, approval.session, asked_seq, place) < (?, ?, ?, ?)',
      approvalCursor.read(cursor),
    ])
  return conditions
}

const cursorAfter = (row: Row) =>
  approvalCursor.write([
    Number(row['asked_at']),
    String(row['session']),
    Number(row['asked_seq']),
    Number(row['place']),
  ])

function placeOf(row: Row): ApprovalPlace {
  return {
    session: row['session'] as SessionId,
    id: String(row['id']),
    askedSeq: Number(row['asked_seq']),
    callSeq: row['call_seq'] as number | null,
    overSeq: row['over_seq'] as number | null,
    settledSeq: row['settled_seq'] as number | null,
  }
}
