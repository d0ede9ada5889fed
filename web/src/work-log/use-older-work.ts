import { useState } from 'react'
import { useClient } from 'dragoman/react'
import type { WorkLogEntry } from 'dragoman/client/work-log'
import { toastError } from '../ui/toast.ts'

/** How many lines are followed; there may be older ones. */
export const followed = 500

/** Lines from before those that are followed, a page at a time. */
export function useOlderWork(session: string): {
  readonly older: readonly WorkLogEntry[]
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly load: () => void
} {
  const client = useClient()
  const [older, setOlder] = useState<readonly WorkLogEntry[]>([])
  // Undefined until the newest page has told where the one before it begins.
  const [next, setNext] = useState<string | null | undefined>(undefined)
  const [isLoading, setLoading] = useState(false)
  const read = async (cursor: string | undefined) => {
    const query = { limit: String(followed), ...(cursor !== undefined && { cursor }) }
    return client.call('GET /api/sessions/:session/work-log', { params: { session }, query })
  }
  const loadOne = async () => {
    const cursor = next === undefined ? (await read(undefined)).next : next
    if (cursor === null) return setNext(null)
    const page = await read(cursor)
    setOlder(known => [...(page.entries as readonly WorkLogEntry[]), ...known])
    setNext(page.next)
  }
  const load = () => {
    setLoading(true)
    void loadOne()
      .catch(toastError)
      .finally(() => setLoading(false))
  }
  return { older, isLoading, hasMore: next !== null, load }
}
