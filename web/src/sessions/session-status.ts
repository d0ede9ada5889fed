import type { ListedSession } from 'dragoman/client'

/** What a person wants to know of a session at a glance. */
export type Standing = 'waiting' | 'running' | 'failed' | 'done' | 'new'

/** The words for it; a colour never stands alone. */
export const standingWords: Readonly<Record<Standing, string>> = {
  waiting: 'Waiting for you',
  running: 'Running',
  failed: 'Failed',
  done: 'Done',
  new: 'New',
}

/** What a standing is read from. */
export type Doing = Pick<ListedSession, 'status' | 'interactions'> & { readonly pending: number }

/** How a session stands. A question of background work waits for a person, too, though nothing runs. */
export function standingOf({ status, pending, interactions }: Doing): Standing {
  if (status === 'waiting' || pending > 0) return 'waiting'
  if (status === 'running' || status === 'failed') return status
  return interactions > 0 ? 'done' : 'new'
}
