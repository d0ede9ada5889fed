import type { SessionState } from 'dragoman/client'

type Told = Pick<SessionState['view']['status'], 'status' | 'ended'>

/** What is told to those who do not see the page, when a session goes from one status to another: beginnings and ends only. */
export function announcementOf(before: Told['status'] | null, { status: now, ended }: Told): string | null {
  if (before === null || before === now) return null
  if (now === 'waiting') return 'Waiting for you'
  if (now === 'failed') return 'The agent failed'
  if (now === 'idle') return ended === 'interrupted' ? 'Stopped' : 'Done'
  return before === 'waiting' ? null : 'The agent answers'
}
