import { readUsage, type Usage, type UsageQuery } from 'dragoman/client/usage'
import { useFetched } from '../ui/use-fetched.ts'

/** The loaded usage. */
export interface UsedUsage {
  readonly usage: Usage | null
  readonly problem: string | null
  readonly isLoading: boolean
  readonly again: () => void
}

/** How often usage is loaded again while the server still counts sessions. */
const soonMs = 2000

/** Loads usage, and again when the user returns to the page. */
export function useUsage(query: UsageQuery): UsedUsage {
  const { data, problem, isLoading, again } = useFetched<Usage>(
    ['usage', query.by, query],
    (client, signal) => readUsage(client, query, { signal }),
    {
      refetchOnWindowFocus: 'always',
      refetchInterval: ({ state }) => ((state.data?.unknown.waiting ?? 0) > 0 ? soonMs : false),
      // Usage of another period stays until the new one arrives; with another grouping it would not fit.
      placeholderData: (before, last) => (last?.queryKey[1] === query.by ? before : undefined),
    },
  )
  return { usage: data, problem, isLoading, again }
}
