import type { ListedSession } from 'dragoman/client'

/** A session's status. */
export type Standing = 'waiting' | 'queued' | 'running' | 'failed' | 'stopped' | 'done' | 'new'

/** The labels; color is never the only sign. */
export const standingWords: Readonly<Record<Standing, string>> = {
  waiting: 'Waiting for approval',
  queued: 'Queued',
  running: 'Running',
  failed: 'Failed',
  stopped: 'Stopped',
  done: 'Done',
  new: 'New',
}

/** The fields that the status is read from. */
export type Doing = Pick<ListedSession, 'status' | 'awaitsPlace' | 'ended' | 'interactions'> & {
  readonly pending: number
}

/** A session's status: that of its last turn. A background request also waits for approval, though nothing runs. */
export function standingOf({ status, awaitsPlace, ended, pending, interactions }: Doing): Standing {
  if (status === 'waiting' || pending > 0) return 'waiting'
  if (status === 'running' && awaitsPlace !== null) return 'queued'
  if (status === 'running' || status === 'failed') return status
  if (ended === 'interrupted') return 'stopped'
  return interactions > 0 ? 'done' : 'new'
}
