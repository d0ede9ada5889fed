import type { PlacedMessage } from '../../projections/stored-message.ts'
import { applyToMessages, createMessagesState, showMessages } from '../../projections/messages-fold.ts'
import { queue } from '../../projections/queue.ts'
import { sameJson } from '../../projections/same-json.ts'
import { statusOf } from '../../projections/session-view.ts'
import type { SnapshotSeed } from '../../projections/snapshot-seed.ts'
import { status } from '../../projections/status.ts'
import { runningSubagents } from '../../projections/subagents.ts'
import { todos } from '../../projections/todos.ts'
import type { Replied } from '../../protocol/api/api.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { areOnlyText, chunksOf, type Event } from '../../protocol/event.ts'
import type { Message } from '../../protocol/message.ts'
import { callTimes } from './call-times.ts'
import { readAnew } from './identity.ts'
import type { ClientView, SessionFacts, SessionState } from './session-state.ts'

/** How many events are kept for inspectors. */
const mostEvents = 500

type LiveMessages = ReadonlyMap<Thread, readonly PlacedMessage[]>

interface Computed extends Omit<SessionState, 'phase' | 'problem' | 'lag' | 'view'> {
  readonly view: Omit<ClientView, 'messages'> & { readonly messages: LiveMessages }
}

/** A session as it grows: what is computed from a snapshot and the entries after it. */
export interface SessionModel {
  /** Applies an entry, and returns what must be reloaded now: facts and approvals, or everything. */
  apply(entry: Entry): 'something' | 'everything' | null
  addOlder(page: Replied<'listMessages'>): void
  refresh(session: Replied<'getSession'>, asked: Replied<'listApprovals'>): void
  state(): Computed
}

/** Begins with a snapshot. What is in it as it was before is the same object as before. */
export function createSessionModel(snapshot: Replied<'getSnapshot'>, before?: Computed): SessionModel {
  // The reply is the snapshot as it was made, and ids are branded only on the way.
  const seed = snapshot as unknown as SnapshotSeed
  const { continuation, session } = seed
  const messages = createLiveMessages(seed, before?.view.messages)
  let view: Omit<ClientView, 'messages'> = {
    todos: new Map(continuation.todos.map(each => [each.thread, each.todos])),
    status: statusOf(seed),
    subagents: continuation.subagents,
    queue: session.queue,
    calls: before?.view.calls ?? callTimes.initial,
  }
  let facts = factsOf(snapshot.session, before?.facts)
  let activeAt = snapshot.session.updatedAt
  let held = heldIn(snapshot.session)
  let approvals = readAnew(before?.approvals ?? [], snapshot.approvals)
  let rules = readAnew(before?.rules ?? [], snapshot.rules)
  let older: readonly Message[] = []
  let { next, asOf: seq } = snapshot
  let events = before?.events ?? []
  return {
    apply(entry) {
      const { event } = entry
      applyToMessages(messages, entry)
      seq = entry.seq
      activeAt = entry.at
      // Text that continues is in the messages only.
      if (areOnlyText(chunksOf(event))) return messages.isStale ? 'everything' : null
      const { pending } = view.status
      view = viewAfter(view, entry)
      if (!isSpeech(event)) events = [...events.slice(1 - mostEvents), entry]
      // What an edit leaves of the messages before the snapshot is known to the server alone.
      const hasOlder = older.length > 0 || next !== null
      if (messages.isStale || (hasOlder && replaces(event))) return 'everything'
      return pending !== view.status.pending || tellsMore(event) ? 'something' : null
    },
    addOlder(page) {
      older = [...(page.messages as readonly Message[]), ...older]
      next = page.next
    },
    refresh(now, asked) {
      facts = factsOf(now, facts)
      held = heldIn(now)
      approvals = readAnew(approvals, asked.approvals)
      rules = readAnew(rules, asked.rules)
    },
    state: () => ({
      facts,
      activeAt,
      approvals,
      rules,
      view: { ...view, messages: showMessages(messages) },
      older,
      next,
      held,
      events,
      seq,
    }),
  }
}

/** The messages from a snapshot on. Messages that are as they were before are the same objects. */
export const createLiveMessages = (seed: SnapshotSeed, before?: LiveMessages) =>
  createMessagesState<PlacedMessage>(
    { begin: shown => shown },
    {
      ...seed,
      messages: seed.messages.map(
        each => before?.get(each.thread)?.find(other => sameJson(other, each)) ?? each,
      ),
    },
  )

/** Everything but the messages, after an entry. */
export const viewAfter = (view: Omit<ClientView, 'messages'>, entry: Entry) => ({
  todos: todos.apply(view.todos, entry),
  status: status.apply(view.status, entry),
  subagents: runningSubagents.apply(view.subagents, entry),
  queue: queue.apply(view.queue, entry),
  calls: callTimes.apply(view.calls, entry),
})

/** What entries report anyway is left out. */
function factsOf(session: Replied<'getSession'>, before?: SessionFacts | null): SessionFacts {
  const {
    status: _1,
    running: _2,
    ended: _3,
    pending: _4,
    queue: _5,
    updatedAt: _6,
    seq: _7,
    ...facts
  } = session
  return before && sameJson(before, facts) ? before : facts
}

const heldIn = ({ queue: waiting }: Replied<'getSession'>) =>
  waiting.flatMap(({ prompt, held }) => (held ? [prompt] : []))

const isSpeech = ({ type }: Event) => type.endsWith('-spoke')
const replaces = (event: Event) => event.type === 'interaction-started' && event.parent !== undefined

/** Plain messages change only the conversation, unless the agent reports its session or usage. */
const tellsMore = (event: Event) =>
  isSpeech(event)
    ? chunksOf(event).some(({ chunk: { type } }) => /^(finish|data-session|data-usage)$/.test(type))
    : event.type !== 'agent-logged'
