import type { Journal } from '../journal/journal.ts'
import { createApprovals } from '../projections/approvals.ts'
import { combineFolds, foldOf } from '../projections/fold.ts'
import { createMessages } from '../projections/messages.ts'
import type { Continuation, SnapshotSeed } from '../projections/snapshot-seed.ts'
import { todos, type Todos } from '../projections/todos.ts'
import { openThreads } from '../protocol/open-parts.ts'
import type { Catalogue } from './catalogue.ts'
import type { MessageRow } from './change.ts'
import { currentApprovals } from './read-approvals.ts'
import { readEntries } from './read-entries.ts'
import { pickMessages } from './read-messages.ts'
import type { SessionState } from './session-state.ts'

/** A snapshot without the session itself; `next` is the `before` of the earlier messages. */
export interface SnapshotRead extends Omit<SnapshotSeed, 'session'> {
  readonly next: number | null
}

interface Parts {
  readonly journal: Journal
  readonly catalogue: Catalogue
}

/** Reads the end of a session as of one entry, so that a view can continue from there. */
export async function readSnapshot(parts: Parts, state: SessionState, limit: number): Promise<SnapshotRead> {
  const { summary, rules, open } = state
  const { session, running, seq: asOf } = summary
  const { rows, next } = await listRows(parts.catalogue, state, limit)
  const first = Math.min(asOf + 1, running?.seq ?? asOf + 1, ...rows.map(({ firstSeq }) => firstSeq))
  const messages = createMessages(undefined, { replaced: true })
  const fold = combineFolds({ messages, approvals: createApprovals(), todos: foldOf(todos) })
  for await (const entry of readEntries(parts.journal, session, first, asOf)) fold.apply(entry)
  const view = fold.view()
  const threads = new Set(rows.map(({ thread }) => thread))
  const continuation: Continuation = {
    open,
    todos: plansOf(state, view.todos).filter(({ thread }) => thread === null || threads.has(thread)),
    subagents: state.subagents,
    spending: summary.spending,
    ...messages.underway(),
  }
  return {
    messages: pickMessages(rows, view.messages).map(({ message }) => message),
    approvals: await currentApprovals(parts.journal, summary, view.approvals),
    rules,
    next,
    asOf,
    continuation,
  }
}

/** The last messages of the main conversation, and all messages of each open thread. */
async function listRows(
  catalogue: Catalogue,
  { summary: { session, seq }, open }: SessionState,
  limit: number,
) {
  const main = await catalogue.messages(session, { thread: null, limit }, seq)
  const threads = await Promise.all(
    openThreads(open).map(thread =>
      catalogue.messages(session, { thread, limit: Number.MAX_SAFE_INTEGER - 1 }, seq),
    ),
  )
  const rows: readonly MessageRow[] = [...threads, main].flatMap(page => page.messages)
  return { rows, next: main.next }
}

/** The plan of the main conversation comes from the state, because it may be much older than these messages. */
function plansOf({ todos: main }: SessionState, plansByThread: Todos): Continuation['todos'] {
  const plans = Array.from(plansByThread, ([thread, plan]) => ({ thread, todos: plan }))
  const others = plans.filter(({ thread }) => thread !== null)
  return main === null ? others : [{ thread: null, todos: main }, ...others]
}
