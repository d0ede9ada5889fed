import type { ListedSession } from 'dragoman/client'

/** What a person wants to know of a session at a glance. */
export type Standing = 'waiting' | 'queued' | 'running' | 'failed' | 'stopped' | 'done' | 'new'

/** The words for it; a colour never stands alone. */
export const standingWords: Readonly<Record<Standing, string>> = {
  waiting: 'Waiting for approval',
  queued: 'Queued',
  running: 'Running',
  failed: 'Failed',
  stopped: 'Stopped',
  done: 'Done',
  new: 'New',
}

/** What a standing is read from. */
export type Doing = Pick<ListedSession, 'status' | 'awaitsPlace' | 'ended' | 'interactions'> & {
  readonly pending: number
}

/** How a session stands: what the last interaction in it came to. A question of background work waits for a person, too, though nothing runs. */
export function standingOf({ status, awaitsPlace, ended, pending, interactions }: Doing): Standing {
  if (status === 'waiting' || pending > 0) return 'waiting'
  if (status === 'running' && awaitsPlace !== null) return 'queued'
  if (status === 'running' || status === 'failed') return status
  if (ended === 'interrupted') return 'stopped'
  return interactions > 0 ? 'done' : 'new'
}
