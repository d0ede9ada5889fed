import type { SessionState } from 'dragoman/client'

type Status = SessionState['view']['status']

/** What a session does, as those who do not see the page are told: a prompt may have begun long before its agent speaks. */
type Doing = Status['status'] | 'begun' | 'queued'

interface Told extends Pick<Status, 'ended'> {
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

/** What is told to those who do not see the page, when a session goes from one status to another: beginnings and ends only. */
export function announcementOf(before: Doing | null, { status: now, ended }: Told): string | null {
  if (before === null || before === now || now === 'begun') return null
  if (now === 'queued') return 'Queued'
  if (now === 'waiting') return 'Waiting for approval'
  if (now === 'failed') return 'The agent failed'
  if (now === 'idle') return ended === 'interrupted' ? 'Stopped' : 'Done'
  return before === 'waiting' ? null : 'The agent is responding'
}
