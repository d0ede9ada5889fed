import { expect } from 'vitest'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf } from '../protocol/event.ts'
import { expectEqual } from '../protocol/expect-equal.fixture.ts'
import { openParts, openThreads } from '../protocol/open-parts.ts'
import { createApprovals } from './approvals.ts'
import { foldEntries } from './fold.ts'
import { createMessages } from './messages.ts'
import { project } from './projection.ts'
import { queue } from './queue.ts'
import { rules } from './rules.ts'
import { createSessionView, type SessionView } from './session-view.ts'
import type { SnapshotSeed } from './snapshot-seed.ts'
import { runningSubagents } from './subagents.ts'
import { summary } from './summary.ts'
import { todos } from './todos.ts'

// JSON writes -0 as 0. For half an input, such as `[-0` of `[-0.5]`, a snapshot has 0 and the text has -0.
expect.addEqualityTesters([(one, other) => (one === 0 && other === 0 ? true : undefined)])

/** A snapshot of some entries, by folding all of them; it goes over the wire. */
export function snapshotOf(entries: readonly Entry[], limit = Number.MAX_SAFE_INTEGER): SnapshotSeed {
  const session = project(summary, entries)
  if (session === null) throw new Error('There is no session yet.')
  const { running } = session
  const fold = createMessages()
  const view = foldEntries(fold, entries)
  const open = entries.flatMap(({ event }) => chunksOf(event)).reduce(openParts.apply, openParts.initial)
  const threads = openThreads(open)
  const seed: SnapshotSeed = {
    session: { ...session, queue: project(queue, entries) },
    messages: [...(view.get(null) ?? []).slice(-limit), ...threads.flatMap(id => view.get(id) ?? [])],
    approvals: foldEntries(createApprovals(), entries).filter(
      ({ status, requested }) => status === 'pending' || (running !== null && requested.seq >= running.seq),
    ),
    rules: project(rules, entries),
    asOf: entries.length,
    continuation: {
      open,
      todos: Array.from(project(todos, entries), ([thread, plan]) => ({ thread, todos: plan })).filter(
        ({ thread }) => thread === null || threads.includes(thread),
      ),
      subagents: project(runningSubagents, entries),
      spending: session.spending,
      ...fold.underway(),
    },
  }
  return JSON.parse(JSON.stringify(seed)) as SnapshotSeed
}

const wired = new WeakMap<Entry, Entry>()

/** An entry as a client receives it: what JSON cannot express is missing. Each entry is converted only once. */
function overWire(entry: Entry): Entry {
  const known = wired.get(entry) ?? (JSON.parse(JSON.stringify(entry)) as Entry)
  wired.set(entry, known)
  return known
}

/** Expects that a view of a snapshot and the entries after it shows the same as one of all entries, as far as it reaches. */
export function expectSameView(seed: SnapshotSeed, told: readonly Entry[]): void {
  const entries = told.map(overWire)
  const view = foldEntries(createSessionView(seed), entries.slice(seed.asOf))
  const whole = foldEntries(createSessionView(), entries)
  const { status, queue: waiting, rules: held } = view
  expectEqual({ status, waiting, held }, { status: whole.status, waiting: whole.queue, held: whole.rules })
  expectEqual(view.usage.total.tokens, whole.usage.total.tokens)
  expect(view.usage.total.cost ?? 0).toBeCloseTo(whole.usage.total.cost ?? 0)
  expectSameMessages(seed, view, whole)
  expectSameApprovals(seed, view, whole, entries)
  const ran = new Set(seed.continuation.subagents.map(({ thread }) => thread))
  expectEqual(
    view.subagents,
    whole.subagents.filter(({ thread, start }) => ran.has(thread) || start.seq > seed.asOf),
  )
  expectEqual(view.todos.get(null), whole.todos.get(null))
  for (const [thread, plan] of view.todos) expectEqual(plan, whole.todos.get(thread))
}

function expectSameApprovals(
  seed: SnapshotSeed,
  view: SessionView,
  whole: SessionView,
  entries: readonly Entry[],
): void {
  const known = new Set(seed.approvals.map(({ id }) => id))
  const told = entries.slice(seed.asOf).flatMap(({ event }) => chunksOf(event).map(({ chunk }) => chunk))
  const calls = new Set(
    [...seed.messages.flatMap(({ message }) => message.parts), ...told].flatMap(each =>
      'toolCallId' in each && 'input' in each ? each.toolCallId : [],
    ),
  )
  const expected = whole.approvals
    .filter(({ id, requested }) => known.has(id) || requested.seq > seed.asOf)
    // Of a message that is not in the snapshot, what it asks later is known without the input.
    .map(each => (known.has(each.id) || calls.has(each.toolCallId) ? each : { ...each, input: null }))
  expectEqual(view.approvals, expected)
}

/** Messages before the snapshot's are not in its view; all others are. */
function expectSameMessages({ messages, asOf }: SnapshotSeed, view: SessionView, whole: SessionView): void {
  const known = new Set(messages.map(({ thread, message }) => `${thread ?? ''} ${message.id}`))
  for (const [thread, all] of whole.messages) {
    const isHere = ({ message, firstSeq }: (typeof all)[number]) =>
      known.has(`${thread ?? ''} ${message.id}`) || firstSeq > asOf
    const hasOlder = all.some(each => !isHere(each))
    // A subagent that had ended by then and continues later is shown as far as it is known.
    if (thread !== null && hasOlder) continue
    expectEqual(view.messages.get(thread) ?? [], all.filter(isHere))
  }
}
