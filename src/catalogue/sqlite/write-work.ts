import type { Cell, Sql } from '../../journal/sqlite/tables.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { WorkChange, WorkPlace } from '../work-change.ts'

/** The statement for a change about tool calls. Repeating it has no further effect. */
export function writeOfWork(change: WorkChange): Sql {
  switch (change.type) {
    case 'work-began':
      return [change.ready ? beginReady : begin, cellsOfBeginning(change)]
    case 'work-asked':
      return [asked, [...placeCells(change), change.approval, change.seq, change.at]]
    case 'work-answered':
      return [answered, cellsOfAnswer(change)]
    case 'work-ended':
      return [ended, cellsOfEnd(change)]
    case 'work-forgotten':
      return [forgotten, placeCells(change)]
  }
}

const isPlace = 'session = ?1 and thread = ?2 and message = ?3 and call = ?4'

const inserted = `
  insert into tool_call (session, thread, message, call, interaction, tool, family, subject,
    start_seq, start_at, place, ready_seq, ready_at, run_at, outcome, agent)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?10, 'pending', ?14)`

const begin = `${inserted} on conflict do nothing`

/** A call that has ended is not changed: its input is reported again. */
const beginReady = `${inserted}
  on conflict do update set tool = ?6, family = ?7, subject = ?8, ready_seq = ?12, ready_at = ?13, run_at = ?10
  where end_seq is null`

const asked = `
  update tool_call set approval = ?5, asked_seq = ?6, asked_at = ?7,
    answered_seq = null, answered_at = null, approved = null
  where ${isPlace} and end_seq is null`

const answered = `
  update tool_call set answered_seq = ?3, answered_at = ?4, approved = ?5, run_at = ?4,
    subject = coalesce(?6, subject)
  where session = ?1 and approval = ?2 and end_seq is null`

/** A later result replaces an earlier one, unless it is the same. */
const ended = `
  update tool_call set end_seq = ?5, end_at = ?6, closed = ?7, result = ?8, mark = ?9,
    outcome = case when approved = 0 then 'failure' else ?10 end,
    duration = ?6 - run_at, subject = coalesce(?11, subject)
  where ${isPlace} and (end_seq is null or (end_seq < ?5 and mark <> ?9))`

const forgotten = `delete from tool_call where ${isPlace}`

/** The main thread is stored as '', because it is part of a key. */
const threadCell = (thread: Thread) => thread ?? ''

const placeCells = ({ session, thread, message, call }: WorkPlace): readonly Cell[] => [
  session,
  threadCell(thread),
  message,
  call,
]

type Of<Type extends WorkChange['type']> = Extract<WorkChange, { readonly type: Type }>

function cellsOfBeginning(change: Of<'work-began'>): readonly Cell[] {
  const { interaction, agent, subject, seq, at, index, ready } = change
  return [
    ...placeCells(change),
    interaction,
    subject.tool,
    subject.family,
    JSON.stringify(subject),
    seq,
    at,
    index,
    ready ? seq : null,
    ready ? at : null,
    agent,
  ]
}

function cellsOfAnswer({ session, approval, seq, at, approved, subject }: Of<'work-answered'>) {
  const changed = subject === null ? null : JSON.stringify(subject)
  return [session, approval, seq, at, Number(approved), changed] satisfies readonly Cell[]
}

function cellsOfEnd(change: Of<'work-ended'>): readonly Cell[] {
  const { seq, at, closed, result, mark, subject } = change
  const subjectJson = subject === null ? null : JSON.stringify(subject)
  const facts = [Number(closed), JSON.stringify(result), mark, result.outcome, subjectJson]
  return [...placeCells(change), seq, at, ...facts]
}
