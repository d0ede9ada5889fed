import type { SessionState } from 'dragoman/client'

type Status = SessionState['view']['status']

/** What a session does, for screen readers: a prompt may have started long before its agent responds. */
type Doing = Status['status'] | 'begun' | 'queued'

interface SessionNow extends Pick<Status, 'ended'> {
  readonly status: Doing
}

/** What a session does now. */
export function doingOf({ facts, view: { status, messages } }: SessionState): Doing {
  if (status.status !== 'running') return status.status
  const last = messages.get(null)?.at(-1)
  const speaks = last?.message.role === 'assistant' && last.interaction === status.running?.interaction
  if (speaks) return 'running'
  return (facts?.awaitsPlace ?? null) === null ? 'begun' : 'queued'
}

/** The screen reader announcement when a session changes its status: starts and ends only. */
export function announcementOf(before: Doing | null, { status: now, ended }: SessionNow): string | null {
  if (before === null || before === now || now === 'begun') return null
  if (now === 'queued') return 'Queued'
  if (now === 'waiting') return 'Waiting for approval'
  if (now === 'failed') return 'The agent failed'
  if (now === 'idle') return ended === 'interrupted' ? 'Stopped' : 'Done'
  return before === 'waiting' ? null : 'The agent is responding'
}
