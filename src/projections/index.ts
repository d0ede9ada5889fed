/**
 * `dragoman/projections`: pure folds of a session's entries into what a program shows of it. A fold takes one entry at a time; a
 * projection gives the next view from the last one and an entry.
 */

// How they are run.
export { foldEntries, type Fold } from './fold.ts'
export { project, type Projection } from './projection.ts'

// Everything at once, from the first entry or from a snapshot.
export { createSessionView, type SessionView } from './session-view.ts'
export type { SnapshotSeed } from './snapshot-seed.ts'

// Messages.
export { createMessages, type Messages } from './messages.ts'
export type { StoredMessage } from './stored-message.ts'
export { createMessageFold, foldMessage, type MessageFold } from './fold-message.ts'

// What happened, and what is happening.
export { createInteractions, type Interaction } from './interactions.ts'
export { createApprovals, type Approval } from './approvals.ts'
export { status, type SessionStatus } from './status.ts'
export { summary, type SessionSummary } from './summary.ts'
export { createSubagents, type Subagent } from './subagents.ts'
export { todos } from './todos.ts'
export { createToolCalls, type ToolCall } from './tool-calls.ts'
export { createUsage, type Usage } from './usage.ts'
export { createWorkLog } from './work-log/work-log.ts'
export type { WorkLogEntry } from './work-log/work-log-entry.ts'
