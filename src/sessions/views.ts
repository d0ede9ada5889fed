import type { MessageFilter } from '../catalogue/list-messages.ts'
import { readMessages, type MessagesRead } from '../catalogue/read-messages.ts'
import type { SessionState } from '../catalogue/session-state.ts'
import { createApprovals, type Approval } from '../projections/approvals.ts'
import type { QueuedPrompt } from '../projections/queue.ts'
import type { SessionSummary } from '../projections/summary.ts'
import { nextPrompt } from './job.ts'
import type { Trouble } from './keep.ts'
import type { LiveSession } from './live-session.ts'

/** A session as it is now. */
export interface SessionDetails extends SessionSummary {
  readonly queue: readonly (QueuedPrompt & { readonly held: boolean })[]
  /** Why its words cannot be saved at the moment. */
  readonly trouble: Trouble | null
}

/** What a person sees of a session at the moment. `held` prompts wait for `continue`. */
export function detailsOf({ line, held, keeper }: LiveSession): SessionDetails {
  const { summary, queue } = line.state
  return {
    ...summary,
    queue: queue.map(each => ({ ...each, held: held.has(each.prompt) })),
    trouble: keeper.trouble,
  }
}

/** Whether nothing runs and nothing is about to. */
export const isIdle = (live: LiveSession, state: SessionState): boolean =>
  state.summary.running === null && nextPrompt(state, live.held) === undefined

/** The approvals of what runs, and those that still wait, folded from where they can have been asked. */
export async function approvalsOf(live: LiveSession): Promise<readonly Approval[]> {
  const { running, pending } = live.line.state.summary
  if (running === null && pending.length === 0) return []
  const recent = await approvalsAfter(live, (running?.seq ?? 1) - 1)
  // What background work asked before that, and still waits for, can lie anywhere.
  const isThere = pending.every(({ approval }) => recent.some(({ id }) => id === approval))
  return isThere ? recent : approvalsAfter(live, 0)
}

async function approvalsAfter({ host, line }: LiveSession, after: number): Promise<readonly Approval[]> {
  const { session, state } = line
  const approvals = createApprovals()
  for (let seq = after; seq < state.summary.seq;) {
    const entries = await host.journal.read(session, seq, 1000)
    for (const entry of entries) approvals.apply(entry)
    seq = entries.at(-1)?.seq ?? state.summary.seq
  }
  return approvals.view()
}

/** Messages of a thread as far as they are saved now. */
export async function messagesOf({ host, line }: LiveSession, filter: MessageFilter): Promise<MessagesRead> {
  const { seq } = line.state.summary
  await line.settled()
  return readMessages(host, line.session, filter, seq)
}
