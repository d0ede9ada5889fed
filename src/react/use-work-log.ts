import { useMemo } from 'react'
import { followWorkLog } from '../client/work-log/follow-work-log.ts'
import type { WorkLogEntry } from '../projections/work-log/work-log-entry.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** The work log of a session, live: a line for each tool call in the order in which they began, from the newest 500 on. */
export function useWorkLog(id: string): readonly WorkLogEntry[] {
  const client = useClient()
  return useReadable(useMemo(() => followWorkLog(client, id), [client, id]))
}
