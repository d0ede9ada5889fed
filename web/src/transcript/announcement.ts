import type { SessionState } from 'dragoman/client'

type Status = SessionState['view']['status']['status']

/** What is told to those who do not see the page, when a session goes from one status to another: beginnings and ends only. */
export function announcementOf(before: Status | null, now: Status): string | null {
  if (before === null || before === now) return null
  if (now === 'waiting') return 'Waiting for you'
  if (now === 'failed') return 'The agent failed'
  if (now === 'idle') return 'Done'
  return before === 'waiting' ? null : 'The agent answers'
}
