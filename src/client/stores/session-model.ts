import { combineFolds, foldOf } from '../../projections/fold.ts'
import { queue } from '../../projections/queue.ts'
import { sameJson } from '../../projections/same-json.ts'
import { statusOf } from '../../projections/session-view.ts'
import type { SnapshotSeed } from '../../projections/snapshot-seed.ts'
import { status } from '../../projections/status.ts'
import { runningSubagents } from '../../projections/subagents.ts'
import { todos } from '../../projections/todos.ts'
import type { Replied } from '../../protocol/api/api.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, type Event } from '../../protocol/event.ts'
import type { Message } from '../../protocol/message.ts'
import { createCallTimes } from './call-times.ts'
import { createConversation } from './conversation.ts'
import { readAnew } from './identity.ts'
import type { SessionFacts, SessionState } from './session-state.ts'

/** How many events are kept for inspectors. */
const mostEvents = 500

type Computed = Omit<SessionState, 'phase' | 'problem' | 'lag'>

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
  const messages = createConversation(seed, before?.view.messages)
  const doing = foldOf(status, statusOf(seed))
  const fold = combineFolds({
    messages,
    todos: foldOf(todos, new Map(continuation.todos.map(each => [each.thread, each.todos]))),
    status: doing,
    subagents: foldOf(runningSubagents, continuation.subagents),
    queue: foldOf(queue, session.queue),
    calls: createCallTimes(before?.view.calls),
  })
  let facts = factsOf(snapshot.session, before?.facts ?? null)
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
      const { pending } = doing.view()
      fold.apply(entry)
      seq = entry.seq
      activeAt = entry.at
      if (!isSpeech(event)) events = [...events.slice(1 - mostEvents), entry]
      // What an edit leaves of the messages before the snapshot is known to the server alone.
      const hasOlder = older.length > 0 || next !== null
      if (messages.isStale() || (hasOlder && replaces(event))) return 'everything'
      return pending !== doing.view().pending || tellsMore(event) ? 'something' : null
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
    state: () => ({ facts, activeAt, approvals, rules, view: fold.view(), older, next, held, events, seq }),
  }
}

/** Streaming content is left out: entries have it. */
function factsOf(session: Replied<'getSession'>, before: SessionFacts | null): SessionFacts {
  const {
    status: _,
    running: __,
    ended: ___,
    pending: ____,
    queue: _____,
    updatedAt: ______,
    seq: _______,
    ...facts
  } = session
  return before !== null && sameJson(before, facts) ? before : facts
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
