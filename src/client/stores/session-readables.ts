import type { Thread } from '../../protocol/chunk.ts'
import type { Message } from '../../protocol/message.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import type { PendingApproval } from '../../projections/questions.ts'
import type { ConnectionState } from '../follow/reopen.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { combine, select, type Readable } from '../readable.ts'
import type { Session, SessionUsage } from '../session.ts'
import type { ShownMessage } from './conversation.ts'
import { memo, memoList } from './identity.ts'
import type { ListedApproval, SessionState } from './session-state.ts'
import { findStreaming } from './streaming-blocks.ts'

type Readables = {
  readonly [Name in keyof Session as Session[Name] extends Readable<unknown> ? Name : never]: Session[Name]
} & Pick<Session, 'thread'>

/** Everything that can be seen of a session, as parts of its one state. */
export function sessionReadables(
  session: string,
  state: Readable<SessionState>,
  connection: Readable<ConnectionState>,
  outbox: Readable<readonly Outgoing[]>,
): Readables {
  const messages = memoList(listMessages)
  const waiting = memo(showQueue)
  const pending = memoList(listPending)
  const streaming = memoList(findStreaming)
  const unsaved = memoList(listUnsaved)
  const usage = memo((cost: SessionUsage['cost'], tokens: SessionUsage['tokens']) => ({ cost, tokens }))
  const debug = memo(({ facts, phase, problem, seq, lag }: SessionState, connected: ConnectionState) => {
    const agentSession = facts?.agentSession ?? null
    return { session, agentSession, phase, problem, connection: connected, seq, lag }
  })
  return {
    state,
    facts: select(state, ({ facts }) => facts),
    messages: select(state, ({ older, view }) => messages(older, view.messages.get(null) ?? none)),
    hasOlder: select(state, ({ next }) => next !== null),
    streaming: select(state, ({ view }) => streaming(view.messages)),
    status: select(state, ({ view }) => view.status),
    todos: select(state, ({ view }) => view.todos.get(null) ?? none),
    events: select(state, ({ events }) => events),
    subagents: select(state, ({ view }) => view.subagents),
    approvals: select(state, ({ approvals }) => approvals),
    pendingApprovals: select(state, ({ approvals, view }) => pending(approvals, view.status.pending)),
    rules: select(state, ({ rules }) => rules),
    queue: select(state, ({ view, held }) => waiting(view.queue, held)),
    usage: select(state, ({ facts }) => facts && usage(facts.cost, facts.tokens)),
    outbox: combine(state, outbox, ({ view, seq }, items) =>
      unsaved(items, session, seq, view.messages.get(null) ?? none, view.queue),
    ),
    debug: combine(state, connection, debug),
    thread: thread => threadOf(state, thread),
  }
}

const none: readonly never[] = []

function threadOf(state: Readable<SessionState>, thread: Thread): Readable<readonly Message[]> {
  const messages = memoList(listMessages)
  return select(state, ({ view }) => messages(none, view.messages.get(thread) ?? none))
}

const listMessages = (older: readonly Message[], stored: readonly ShownMessage[]): readonly Message[] => [
  ...older,
  ...stored.map(({ message }) => message),
]

const showQueue = (queue: readonly QueuedPrompt[], held: readonly string[]) =>
  queue.map(each => ({ ...each, held: held.includes(each.prompt) }))

/** The entries report an answer before the list of approvals is loaded again, so both must show it as pending. */
const listPending = (approvals: readonly ListedApproval[], waiting: readonly PendingApproval[]) =>
  approvals.filter(each => each.status === 'pending' && waiting.some(({ approval }) => approval === each.id))

/** What the session itself shows need not be shown as on its way. */
const listUnsaved = (
  items: readonly Outgoing[],
  session: string,
  shown: number,
  messages: readonly ShownMessage[],
  queue: readonly QueuedPrompt[],
): readonly Outgoing[] =>
  items.filter(
    item =>
      item.session === session &&
      (item.seq ?? shown + 1) > shown &&
      !messages.some(({ message }) => message.id === item.id) &&
      !queue.some(({ prompt }) => prompt === item.id),
  )
