import type { Thread } from '../protocol/chunk.ts'
import type { Todo } from '../protocol/data-parts.ts'
import type { Outcome } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { OpenParts } from '../protocol/open-parts.ts'
import type { Approval } from './approvals.ts'
import type { QueuedPrompt } from './queue.ts'
import type { PausedRepeat } from './repeat-filter.ts'
import type { Rule } from './rules.ts'
import type { Spending } from './spending.ts'
import type { Status, RunningInteraction } from './status.ts'
import type { StoredMessage } from './stored-message.ts'
import type { Subagent } from './subagents.ts'
import type { ValidityChange } from './validity.ts'

/** A session at one moment: enough to show it, and to go on from there with the entries after `asOf`. Plain JSON. */
export interface SnapshotSeed {
  readonly session: SessionSeed
  /** The last messages of the conversation, and all of each running subagent. */
  readonly messages: readonly StoredMessage[]
  /** The approvals of the running interaction, and all pending ones. */
  readonly approvals: readonly Approval[]
  readonly rules: readonly Rule[]
  readonly asOf: number
  readonly continuation: Continuation
}

/** What is taken from the session itself. */
export interface SessionSeed {
  readonly agent: string
  readonly model: string | null
  readonly status: Status
  readonly running: RunningInteraction | null
  readonly ended: Outcome | null
  readonly queue: readonly QueuedPrompt[]
}

/** The state that is not shown, but is needed to continue from this moment. */
export interface Continuation extends MessagesUnderway {
  /** The open parts and messages of all threads. */
  readonly open: OpenParts
  readonly todos: readonly { readonly thread: Thread; readonly todos: readonly Todo[] }[]
  /** The running subagents. */
  readonly subagents: readonly Subagent[]
  readonly spending: Spending
}

/** The part of it that a fold of messages knows. */
export interface MessagesUnderway {
  /** Open messages that are repeated, or may be. */
  readonly retellings: readonly (PausedRepeat & { readonly thread: Thread; readonly message: string })[]
  /** All changes of validity, by interaction. */
  readonly validity: readonly {
    readonly interaction: InteractionId
    readonly changes: readonly ValidityChange[]
  }[]
}
