import type { Message, MessagePart } from '../../protocol/message.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import type { SessionStatus } from '../../projections/status.ts'
import type { ConnectionState } from '../follow/reopen.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { derive, sameList, select, type Readable } from '../readable.ts'
import type { Session } from '../session.ts'
import type {
  Conversation,
  ListedApproval,
  SessionState,
  ShownMessage,
  StreamingBlock,
} from './session-state.ts'

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
  const of = <Part>(pick: (state: SessionState) => Part) => select(state, pick)
  const main = of(({ view }) => view.messages.get(null) ?? none)
  const status = of(({ view }) => view.status)
  const approvals = of(each => each.approvals)
  const queue = of(({ view }) => view.queue)
  const facts = of(each => each.facts)
  return {
    state,
    facts,
    messages: list([main, of(({ older }) => older)], listMessages),
    hasOlder: of(({ next }) => next !== null),
    streaming: list([of(({ view }) => view.messages)], findStreaming),
    status,
    todos: of(({ view }) => view.todos.get(null) ?? none),
    events: of(({ events }) => events),
    subagents: of(({ view }) => view.subagents),
    approvals,
    pendingApprovals: list([approvals, status], listPending),
    rules: of(({ rules }) => rules),
    queue: derive([queue, of(({ held }) => held)], showQueue),
    usage: derive([facts], each => each && { cost: each.cost, tokens: each.tokens }),
    outbox: list([outbox, of(({ seq }) => seq), main, queue], listUnsaved(session)),
    debug: derive([state, connection], ({ facts: known, phase, problem, seq, lag }, connected) => ({
      session,
      agentSession: known?.agentSession ?? null,
      phase,
      problem,
      connection: connected,
      seq,
      lag,
    })),
    thread: thread => list([of(({ view }) => view.messages.get(thread) ?? none)], listMessages),
  }
}

/** A derived list; one that holds the same items as before is the same list. */
function list<const Values extends readonly unknown[], Item>(
  from: { readonly [At in keyof Values]: Readable<Values[At]> },
  make: (...values: Values) => readonly Item[],
): Readable<readonly Item[]> {
  let last: readonly Item[] = none
  return derive(from, (...values: Values) => (last = sameList(last, make(...values))))
}

const none: readonly never[] = []

const listMessages = (
  shown: readonly ShownMessage[],
  older: readonly Message[] = none,
): readonly Message[] => [...older, ...shown.map(({ message }) => message)]

const showQueue = (queue: readonly QueuedPrompt[], held: readonly string[]) =>
  queue.map(each => ({ ...each, held: held.includes(each.prompt) }))

/** The entries report an answer before the list of approvals is loaded again, so both must show it as pending. */
const listPending = (approvals: readonly ListedApproval[], { pending }: SessionStatus) =>
  approvals.filter(each => each.status === 'pending' && pending.some(({ approval }) => approval === each.id))

/** Prompts that the session itself does not show yet. */
const listUnsaved =
  (session: string) =>
  (
    items: readonly Outgoing[],
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

const blocks = new WeakMap<MessagePart, StreamingBlock>()

/** Finds the streaming parts; an unchanged part keeps its block. */
const findStreaming = (conversation: Conversation): readonly StreamingBlock[] =>
  [...conversation.values()].flat().flatMap(({ message: { id: message, parts }, thread }) =>
    parts.flatMap((part, index) => {
      if (!('state' in part) || !part.state?.endsWith('streaming')) return []
      const block = blocks.get(part) ?? { thread, message, index, part }
      blocks.set(part, block)
      return [block]
    }),
  )
