import type { Cell, Sql } from '../../journal/sqlite/tables.ts'
import type { ApprovalChange } from '../approval-change.ts'

/** The statement for a change about approvals. Repeating it has no further effect. */
export function writeOfApproval(change: ApprovalChange): Sql {
  switch (change.type) {
    case 'approval-asked':
      return [insertApproval, cellsOf(change)]
    case 'approval-settled':
      return [settle, [change.seq, change.seq, change.session, change.approval, change.seq]]
    case 'approval-over':
      return [
        'update approval set over_seq = coalesce(over_seq, ?1) where session = ?2 and id = ?3 and asked_seq <= ?1',
        [change.seq, change.session, change.approval],
      ]
    case 'approvals-copied':
      return [markCopied, [change.session, change.seq, interactionsCell(change.interactions)]]
  }
}

/** A question asked again keeps its answer; the same id for another call is a new question. */
const insertApproval = `
  insert into approval (session, id, asked_seq, asked_at, place, interaction, call, thread, call_seq)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
    (select ready_seq from tool_call where session = ?1 and message = ?9 and call = ?7 and thread = ?8))
  on conflict do update set asked_seq = ?3, asked_at = ?4, place = ?5, interaction = ?6, call = ?7, thread = ?8,
    call_seq = excluded.call_seq, settled_seq = null, over_seq = null, copied = 0
  where asked_seq < ?3 and call is not null and (call <> ?7 or thread <> ?8)`

const settle = `
  update approval set settled_seq = coalesce(settled_seq, ?), over_seq = coalesce(over_seq, ?)
  where session = ? and id = ? and asked_seq <= ?`

const markCopied = `
  update approval set copied = 1
  where session = ?1 and asked_seq <= ?2
    and (?3 is null or interaction in (select value from json_each(?3)))`

const interactionsCell = (interactions: readonly string[] | null) =>
  interactions === null ? null : JSON.stringify(interactions)

function cellsOf(change: Extract<ApprovalChange, { readonly type: 'approval-asked' }>): readonly Cell[] {
  const { session, approval, seq, at, place, interaction, call, thread, message } = change
  // The main thread is stored as '', because null cannot be compared.
  return [session, approval, seq, at, place, interaction, call, thread ?? '', message ?? null]
}
