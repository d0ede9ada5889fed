import type { Fold } from '../../projections/fold.ts'
import { createMessages } from '../../projections/messages.ts'
import type { SnapshotSeed } from '../../projections/snapshot-seed.ts'
import { noSpending, spend, totalSpent, type Spending } from '../../projections/spending.ts'
import type { Spent } from '../../projections/spent.ts'
import { status, type SessionStatus } from '../../projections/status.ts'
import { runningSubagents, type Subagent } from '../../projections/subagents.ts'
import { todos, type Todos } from '../../projections/todos.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'
import type { Conversation } from '../stores/session-state.ts'
import { toldInteractions, type ToldInteractions } from './told-interactions.ts'

/** What a session showed after one of its entries. */
export interface ReplayView {
  /** The last entry that is counted in; 0 before the first. */
  readonly seq: number
  /** When that was saved; null before the first. */
  readonly at: number | null
  readonly messages: Conversation
  readonly interactions: ToldInteractions
  readonly todos: Todos
  readonly status: SessionStatus
  /** The subagents that were at work. */
  readonly subagents: readonly Subagent[]
  /** What had been used by then. */
  readonly spent: Spent
}

/** The values of small projections. They are immutable, so keeping them costs nothing. */
interface Facts {
  readonly seq: number
  readonly at: number | null
  readonly agent: string
  readonly interactions: ToldInteractions
  readonly todos: Todos
  readonly status: SessionStatus
  readonly subagents: readonly Subagent[]
  readonly spending: Spending
  readonly open: OpenParts
}

/** A session at one entry, from which a fold continues as if it had seen all entries before. */
export interface Keyframe {
  readonly facts: Facts
  readonly seed: Pick<SnapshotSeed, 'messages'> &
    Pick<SnapshotSeed['continuation'], 'retellings' | 'validity'>
}

/** A fold of a session that can be left at any entry, to be taken up there later. */
export interface ReplayFold extends Fold<ReplayView> {
  keyframe(): Keyframe
}

const nothing: Facts = {
  seq: 0,
  at: null,
  agent: '',
  interactions: toldInteractions.initial,
  todos: todos.initial,
  status: status.initial,
  subagents: runningSubagents.initial,
  spending: noSpending,
  open: openParts.initial,
}

/** Begins before the first entry, or at a keyframe. */
export function createReplayFold(from?: Keyframe): ReplayFold {
  const messages = createMessages(from && seedOf(from))
  let facts = from?.facts ?? nothing
  let made: ReplayView | null = null
  return {
    apply(entry) {
      messages.apply(entry)
      facts = factsAfter(facts, entry)
      made = null
    },
    view() {
      made ??= viewOf(facts, messages.view())
      return made
    },
    keyframe: () => ({
      facts,
      seed: { messages: [...messages.view().values()].flat(), ...messages.underway() },
    }),
  }
}

function viewOf(facts: Facts, messages: Conversation): ReplayView {
  const { agent: _, spending, open: __, ...shown } = facts
  return { ...shown, messages, spent: totalSpent(spending) }
}

function factsAfter(before: Facts, entry: Entry): Facts {
  const { seq, at, event } = entry
  const chunks = chunksOf(event)
  // The usage of copied messages counts in the original session.
  const spending = event.type === 'session-branched' ? noSpending : chunks.reduce(spend, before.spending)
  return {
    seq,
    at,
    agent: 'agent' in event ? event.agent : before.agent,
    interactions: toldInteractions.apply(before.interactions, entry),
    todos: todos.apply(before.todos, entry),
    status: status.apply(before.status, entry),
    subagents: runningSubagents.apply(before.subagents, entry),
    spending,
    open: chunks.reduce(openParts.apply, before.open),
  }
}

/** A keyframe has all messages of all threads, so that every later chunk finds its message. */
function seedOf({ facts, seed: { messages, ...underway } }: Keyframe): SnapshotSeed {
  const { agent, status: doing, open, subagents, spending, seq } = facts
  return {
    session: { ...doing, agent, model: null, queue: [] },
    messages,
    approvals: [],
    rules: [],
    asOf: seq,
    continuation: { open, todos: [], subagents, spending, ...underway },
  }
}
