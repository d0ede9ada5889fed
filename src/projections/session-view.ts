import { createApprovals, pendingIn } from './approvals.ts'
import { combineFolds, foldOf } from './fold.ts'
import { createMessages } from './messages.ts'
import { queue, type QueuedPrompt } from './queue.ts'
import { rules } from './rules.ts'
import type { SnapshotSeed } from './snapshot-seed.ts'
import { status, type SessionStatus } from './status.ts'
import { createSubagents } from './subagents.ts'
import { todos } from './todos.ts'
import { createUsage } from './usage.ts'

/** What a screen shows of a session; a part that did not change is the same object as before. */
export type SessionView = ReturnType<ReturnType<typeof createSessionView>['view']>

/** Folds entries into everything a screen shows of a session, from the first or from a snapshot on. */
export function createSessionView(seed?: SnapshotSeed) {
  const { continuation } = seed ?? {}
  return combineFolds({
    messages: createMessages(seed),
    approvals: createApprovals(seed),
    rules: foldOf(rules, seed?.rules),
    todos: foldOf(todos, continuation && new Map(continuation.todos.map(each => [each.thread, each.todos]))),
    usage: createUsage(seed),
    status: foldOf(status, seed && statusOf(seed)),
    subagents: createSubagents(continuation?.subagents),
    queue: foldOf(queue, seed?.session.queue.map(plain)),
  })
}

/** What a session was doing at a snapshot. */
export function statusOf({ session, approvals }: SnapshotSeed): SessionStatus {
  const { status: doing, running, ended } = session
  return { status: doing, running, ended, pending: pendingIn(approvals) }
}

const plain = ({ prompt, parts, queued }: QueuedPrompt): QueuedPrompt => ({ prompt, parts, queued })
