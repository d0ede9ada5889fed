import { useMemo } from 'react'
import { select } from '../client/readable.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'
import { createWorkLog, type WorkLogEntry } from './work-log.ts'

/** The tool calls of a session in the order in which they began, live. */
export function useWorkLog(id: string): readonly WorkLogEntry[] {
  const { state } = useClient().session(id)
  const workLog = useMemo(() => {
    const make = createWorkLog()
    return select(state, ({ view }) => make(view))
  }, [state])
  return useReadable(workLog)
}
