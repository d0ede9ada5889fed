import { createApprovals } from './approvals.ts'
import { combineFolds, foldOf } from './fold.ts'
import { createMessages } from './messages.ts'
import { queue } from './queue.ts'
import { status } from './status.ts'
import { createSubagents } from './subagents.ts'
import { todos } from './todos.ts'
import { createUsage } from './usage.ts'

/** What a screen shows of a session; a part that did not change is the same object as before. */
export type SessionView = ReturnType<ReturnType<typeof createSessionView>['view']>

/** Folds entries into everything a screen shows of a session. */
export function createSessionView() {
  return combineFolds({
    messages: createMessages(),
    approvals: createApprovals(),
    todos: foldOf(todos),
    usage: createUsage(),
    status: foldOf(status),
    subagents: createSubagents(),
    queue: foldOf(queue),
  })
}
