import { useState } from 'react'
import {
  focusManager,
  QueryClient,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query'
import type { Client, Session } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { onReconnect } from './use-on-reconnect.ts'

/** Data from the server. */
export interface Fetched<Data> {
  /** Null until it was loaded. It stays while it is loaded again, and when that fails. */
  readonly data: Data | null
  /** Why the last load failed. It stays until a load succeeds. */
  readonly problem: string | null
  readonly isLoading: boolean
  /** Loads the data again. */
  readonly again: () => void
}

type Options<Data> = Partial<
  Pick<
    UseQueryOptions<Data>,
    'enabled' | 'staleTime' | 'gcTime' | 'refetchInterval' | 'refetchOnWindowFocus' | 'placeholderData'
  >
>

const caches = new WeakMap<Client, QueryClient>()

/** The data loaded from a server. A failed load is tried again when the server can be reached again. */
export function cacheOf(client: Client): QueryClient {
  const known = caches.get(client)
  if (known !== undefined) return known
  const cache = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        // A browser without a network may still reach a server on the same machine.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        structuralSharing: false,
      },
    },
  })
  focusManager.setEventListener(onReturn)
  cache.mount()
  const hasFailed = ({ state }: { readonly state: { readonly error: unknown } }) => state.error !== null
  onReconnect(client, () => void cache.refetchQueries({ type: 'active', predicate: hasFailed }))
  caches.set(client, cache)
  return cache
}

/** The user returns to a page by its tab, or by its window beside others. */
function onReturn(run: () => void): () => void {
  const stop = new AbortController()
  const look = () => run()
  document.addEventListener('visibilitychange', look, stop)
  window.addEventListener('focus', look, stop)
  return () => stop.abort()
}

/** Data loaded when a component appears. Components with the same key share it. */
export function useFetched<Data>(
  key: QueryKey,
  load: (client: Client, signal: AbortSignal) => Promise<Data>,
  options: Options<Data> = {},
): Fetched<Data> {
  const client = useClient()
  const query = useQuery(
    { queryKey: key, queryFn: ({ signal }) => load(client, signal), ...options },
    cacheOf(client),
  )
  const problem = useLastProblem(query)
  const { data = null, refetch } = query
  return {
    data,
    problem,
    // Read only where it is shown: a component that does not read it does not render again when loading starts.
    get isLoading() {
      return query.isFetching
    },
    again: () => void refetch(),
  }
}

/** The message of the last error, also while the data is loaded again. */
export function useLastProblem({
  error,
  isPending,
}: {
  readonly error: Error | null
  readonly isPending: boolean
}): string | null {
  const now = error?.message ?? null
  const [last, setLast] = useState(now)
  if (!isPending && last !== now) setLast(now)
  return isPending ? last : now
}

/** The conversation loads before details about it. */
const delayMs = 500
/** Rows come and go while the user scrolls; their details are kept for this long. */
const keptMs = 30_000

/** Details about a session, loaded once and a moment after its conversation. */
export const useDetails = <Data>(
  name: string,
  session: Session,
  load: (client: Client, session: string) => Promise<Data>,
): Data | null =>
  useFetched(
    [name, session.id],
    async client => {
      await new Promise(resolve => setTimeout(resolve, delayMs))
      if (/^(gone|closed)$/.test(session.state.get().phase)) throw new Error('This session is closed.')
      return load(client, session.id)
    },
    { staleTime: Infinity, gcTime: keptMs },
  ).data
