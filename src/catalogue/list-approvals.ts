import type { Cell, Row, Tables } from '../journal/journal.ts'
import { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'

/** Which approvals to list, across sessions. */
export interface ApprovalFilter {
  /** Those that wait for an answer, or those that are answered or lapsed; both without it. */
  readonly status?: 'pending' | 'settled'
  /** Where the last page ended. */
  readonly cursor?: string
  readonly limit: number
}

/** Where an approval lies in the journal of its session. */
export interface ApprovalPlace {
  readonly session: SessionId
  readonly id: string
  readonly askedSeq: number
  /** The entry with the input of the call; null when it is not known. */
  readonly callSeq: number | null
  /** The entry since which it no longer waits, and the one that says so, if there is one; null while it waits. */
  readonly overSeq: number | null
  readonly settledSeq: number | null
}

/** Some approvals, and the cursor for the next page: null when there is none. */
export interface ApprovalPlaces {
  readonly places: readonly ApprovalPlace[]
  readonly next: string | null
}

type Condition = readonly [sql: string, cells: readonly Cell[]]

/** Approvals of all sessions that are not deleted, the newest question first; a copy in a branch is not listed. */
export async function listApprovals(tables: Tables, filter: ApprovalFilter): Promise<ApprovalPlaces> {
  const conditions = conditionsOf(filter)
  // A cross join keeps SQLite from sorting all approvals of all sessions: it reads them in the order of the index.
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

function conditionsOf({ status, cursor }: ApprovalFilter): readonly Condition[] {
  const conditions: Condition[] = [['deleted = 0 and copied = 0', []]]
  if (status !== undefined) conditions.push([`over_seq is ${status === 'pending' ? '' : 'not '}null`, []])
  if (cursor !== undefined)
    conditions.push(['(asked_at, approval.session, asked_seq, place) < (?, ?, ?, ?)', readCursor(cursor)])
  return conditions
}

const cursorAfter = (row: Row) => `${row['asked_at']}~${row['session']}~${row['asked_seq']}.${row['place']}`

function readCursor(cursor: string): readonly Cell[] {
  const [, at, session, seq, place] =
    /^(\d{1,15})~([A-Za-z0-9_.:-]{1,128})~(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (session !== undefined) return [Number(at), session, Number(seq), Number(place)]
  throw new DragomanError('invalid-input', 'The cursor is not valid. Start again without a cursor.')
}

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
