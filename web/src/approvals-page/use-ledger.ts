import { useEffect, useMemo, useRef } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Client, ListedSession } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { cacheOf, useFetched, useLastProblem } from '../ui/use-fetched.ts'
import { keyOf, markOf, type LedgerRow, type LedgerRule } from './ledger.ts'

/** The loaded requests and rules of all sessions. */
export interface Ledger {
  /** Pending requests, oldest first. */
  readonly waiting: readonly LedgerRow[]
  /** Settled requests, newest first, as far as loaded. */
  readonly past: readonly LedgerRow[]
  readonly rules: readonly LedgerRule[]
  /** Whether all pending requests are known, judged by the session lists that the badge counts. */
  readonly isKnown: boolean
  readonly hasMore: boolean
  readonly isLoading: boolean
  /** Why something could not be loaded. */
  readonly problem: string | null
  /** Loads the next page of settled requests. */
  readonly loadMore: () => void
  /** Loads everything again. */
  readonly again: () => void
  /** Loads again what could not be loaded. */
  readonly retry: () => void
}

/** Loads the requests and rules of all sessions; again when the session lists show a change. */
export function useLedger(): Ledger {
  const client = useClient()
  const lists = useLists(client)
  const past = usePast(client, !lists.isLoading)
  const started = useRef<string | null>(null)
  const load = () => {
    started.current = lists.mark
    return loadNow(client, lists.mark)
  }
  const now = useFetched(['pending approvals'], load, { enabled: !lists.isLoading, ...fresh })
  const again = () => {
    void past.refetch()
    now.again()
  }
  const isLoading = lists.isLoading || past.isFetching || now.isLoading
  // One load at a time: a change meanwhile is loaded after it.
  useEffect(() => {
    if (!isLoading && started.current !== null && started.current !== lists.mark) again()
  })
  const rows = useMemo(() => past.data?.pages.flatMap(page => page.rows) ?? [], [past.data])
  const over = new Set(rows.map(keyOf))
  const problem = useLastProblem(past) ?? now.problem ?? lists.problem
  return {
    // A request answered between the two responses is in both.
    waiting: now.data?.waiting.filter(row => !over.has(keyOf(row))) ?? [],
    past: rows,
    rules: now.data?.rules ?? [],
    isKnown: !lists.isLoading && now.data?.mark === lists.mark,
    hasMore: past.hasNextPage,
    isLoading,
    problem,
    loadMore: () => void past.fetchNextPage(),
    again,
    retry() {
      again()
      lists.retry()
    },
  }
}

/** The session lists don't show revoked rules, so everything is loaded when the user returns to the page. */
const fresh = { refetchOnWindowFocus: 'always', gcTime: 0 } as const

const usePast = (client: Client, enabled: boolean) =>
  useInfiniteQuery(
    {
      queryKey: ['settled approvals'],
      queryFn: ({ pageParam }) => loadPage(client, 'settled', pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      enabled,
      ...fresh,
    },
    cacheOf(client),
  )

/** The session lists: what changed in them, and whether they could be loaded. */
function useLists(client: Client) {
  const list = client.sessions()
  const [listed, running] = [useReadable(list), useReadable(client.running)]
  const problem = listed.problem ?? running.problem
  return {
    mark: useMemo(
      () => markOf([...running.sessions, ...listed.sessions]),
      [running.sessions, listed.sessions],
    ),
    problem,
    isLoading: (listed.loading || running.loading) && problem === null,
    retry() {
      if (listed.problem !== null) list.loadMore()
      if (running.problem !== null) client.running.loadMore()
      client.surroundings.pauses.wake()
    },
  }
}

interface Page {
  readonly rows: readonly LedgerRow[]
  readonly next: string | null
}

/** The most that the server sends at a time. */
const limit = '100'

async function loadPage(
  { call }: Pick<Client, 'call'>,
  status: 'pending' | 'settled',
  cursor: string | null,
): Promise<Page> {
  const query = { status, limit, ...(cursor !== null && { cursor }) }
  const { approvals, sessions, next } = await call('GET /api/approvals', { query })
  return {
    rows: withSessions(approvals, sessions).map(([approval, session]) => ({ session, approval })),
    next,
  }
}

/** Pending requests and rules; `mark` is the state of the session lists at the start. */
async function loadNow(client: Client, mark: string) {
  const [waiting, { rules, sessions }] = await Promise.all([
    loadWaiting(client),
    client.call('GET /api/rules'),
  ])
  return { mark, waiting, rules: withSessions(rules, sessions).map(([rule, session]) => ({ session, rule })) }
}

async function loadWaiting(client: Client): Promise<readonly LedgerRow[]> {
  const rows: LedgerRow[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page = await loadPage(client, 'pending', cursor ?? null)
    rows.push(...page.rows)
    cursor = page.next
  }
  return rows.toReversed()
}

function withSessions<Item extends { readonly session: string }>(
  items: readonly Item[],
  sessions: readonly ListedSession[],
): readonly (readonly [Item, ListedSession])[] {
  const known = new Map(sessions.map(session => [session.id, session]))
  return items.flatMap(item => {
    const session = known.get(item.session)
    return session === undefined ? [] : [[item, session] as const]
  })
}
