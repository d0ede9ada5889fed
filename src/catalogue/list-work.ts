import type { Cell, Row, Tables } from '../journal/journal.ts'
import type { Moment } from '../projections/moment.ts'
import type { CallApproval } from '../projections/tool-calls.ts'
import { entryOf, type WorkLogEntry } from '../projections/work-log/work-log-entry.ts'
import type { WorkOutcome, WorkPair, WorkResult, WorkSubject } from '../projections/work-log/work-facts.ts'
import { DragomanError } from '../protocol/error.ts'
import { isFamily } from '../protocol/known-tools.ts'
import type { SessionId } from '../protocol/ids.ts'

/** Which lines of a session's work log. */
export interface WorkFilter {
  readonly interaction?: string
  readonly message?: string
  /** A tool by its agent's name for it, or all of a kind: `run`, `edit`. */
  readonly tool?: string
  readonly outcome?: WorkOutcome
  /** A subagent's thread; '' is the main conversation. All threads without it. */
  readonly thread?: string
  /** Where the page after ended. */
  readonly cursor?: string
  readonly limit: number
}

/** Some lines of a work log, the oldest first, and the cursor of the page before: null when there is none. */
export interface WorkPage {
  readonly entries: readonly WorkLogEntry[]
  readonly next: string | null
}

type Condition = readonly [sql: string, cells: readonly Cell[]]

/** The newest lines of a work log, or those before a cursor. */
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
    rows.length > filter.limit && last !== undefined ? `${last['start_seq']}.${last['place']}` : null
  return { entries: shown.toReversed().map(row => entryOf(pairOf(row))), next }
}

/** A message has few calls, which are found by it: `+` keeps SQLite from reading all others in their order instead. */
const few = ({ message }: WorkFilter) => (message === undefined ? '' : '+')

function conditionsOf(
  session: SessionId,
  { interaction, message, tool, outcome, thread, cursor }: WorkFilter,
): readonly Condition[] {
  const conditions: Condition[] = [['session = ?', [session]]]
  if (interaction !== undefined) conditions.push(['interaction = ?', [interaction]])
  if (message !== undefined) conditions.push(['message = ?', [message]])
  if (tool !== undefined) conditions.push([isFamily(tool) ? 'family = ?' : 'tool = ?', [tool]])
  if (outcome !== undefined) conditions.push(['outcome = ?', [outcome]])
  if (thread === '') conditions.push(["thread = ''", []])
  else if (thread !== undefined) conditions.push(["thread = ? and thread <> ''", [thread]])
  if (cursor !== undefined) conditions.push(['(start_seq, place) < (?, ?)', readCursor(cursor)])
  return conditions
}

function readCursor(cursor: string): readonly Cell[] {
  const [, seq, place] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (seq !== undefined && place !== undefined) return [Number(seq), Number(place)]
  throw new DragomanError('invalid-input', 'The cursor is not valid. Start again without a cursor.')
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
