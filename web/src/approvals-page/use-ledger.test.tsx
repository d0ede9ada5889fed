// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import type { ListedApproval } from 'dragoman/client'
import { render, wait } from '../composer/render.fixture.tsx'
import { listed } from '../session-summary/listed.fixture.ts'
import { useLedger, type Ledger } from './use-ledger.ts'

interface Request extends Pick<ListedApproval, 'id' | 'status'> {
  readonly session: string
  readonly requested: { readonly seq: number; readonly at: number }
}

const request = (at: number, status: Request['status'] = 'granted'): Request => ({
  id: `a${at}`,
  session: `s${at}`,
  status,
  requested: { seq: at, at },
})
const many = (count: number) => Array.from({ length: count }, (_, at) => request(at + 1))
const newestFirst = (requests: readonly Request[]) => requests.map(({ id }) => id).toReversed()

/** A page that reads the ledger of a server with these requests. */
async function open(requests: readonly Request[]) {
  const server = { requests, calls: [] as string[], isBroken: false }
  const page = (query: URLSearchParams) => {
    const cursor = query.get('cursor')
    const found = server.requests
      .filter(each => (each.status === 'pending') === (query.get('status') === 'pending'))
      .filter(({ requested }) => cursor === null || requested.at < Number(cursor))
      .toSorted((one, other) => other.requested.at - one.requested.at)
    const approvals = found.slice(0, Number(query.get('limit')))
    const next = found.length > approvals.length ? String(approvals.at(-1)?.requested.at) : null
    return { approvals, sessions: approvals.map(({ session: id }) => listed({ id })), next }
  }
  const answer = (address: string) => {
    const { pathname, searchParams } = new URL(address)
    if (pathname === '/api/sessions') return Response.json({ sessions: [], next: null })
    if (pathname !== '/api/approvals' && pathname !== '/api/rules') return null
    server.calls.push(pathname)
    if (server.isBroken) return new Response('', { status: 418 })
    return Response.json(pathname === '/api/rules' ? { rules: [], sessions: [] } : page(searchParams))
  }
  const newest: { ledger: Ledger | null } = { ledger: null }
  function Probe() {
    newest.ledger = useLedger()
    return null
  }
  await render(<Probe />, { answer })
  await wait(500)
  const read = () => newest.ledger as Ledger
  const after = async (act: () => void) => {
    act()
    await wait(100)
  }
  const ids = () => ({
    waiting: read().waiting.map(({ approval }) => approval.id),
    past: read().past.map(({ approval }) => approval.id),
  })
  return { server, read, after, ids }
}

describe('the ledger', () => {
  it('[W4] loads pages, not sessions: 1,000 approvals take 3 requests, and one more for each page', async () => {
    const { server, read, after, ids } = await open([...many(1000), request(1001, 'pending')])
    expect(server.calls.toSorted()).toEqual(['/api/approvals', '/api/approvals', '/api/rules'])
    expect(ids().waiting).toEqual(['a1001'])
    expect(ids().past).toHaveLength(100)
    while (read().hasMore) await after(read().loadMore)
    expect(server.calls).toHaveLength(3 + 9)
    expect(ids().past).toEqual(newestFirst(many(1000)))
  })

  it('[W4] lists pending requests oldest first and settled ones newest first', async () => {
    const { ids } = await open([
      request(1),
      request(2, 'pending'),
      request(3, 'denied'),
      request(4, 'pending'),
    ])
    expect(ids()).toEqual({ waiting: ['a2', 'a4'], past: ['a3', 'a1'] })
  })

  it('[W4] loads every page again that was loaded, so that an old request answered now is among them', async () => {
    const { server, read, after, ids } = await open([request(50, 'pending'), ...many(250).slice(50)])
    await after(read().loadMore)
    expect(ids().past).toHaveLength(200)
    server.requests = many(251).slice(49)
    await after(read().again)
    expect(ids()).toEqual({ waiting: [], past: newestFirst(server.requests).slice(0, 200) })
    await after(read().loadMore)
    expect(ids().past).toEqual(newestFirst(server.requests))
  })

  it('[W4] reports what could not be loaded, keeps what it had, and loads again when asked', async () => {
    const { server, read, after, ids } = await open(many(2))
    expect(read()).toMatchObject({ isKnown: true, problem: null })
    server.isBroken = true
    await after(read().again)
    expect(read().problem).toBe('The server answered with status 418.')
    expect(ids().past).toEqual(['a2', 'a1'])
    server.isBroken = false
    await after(read().retry)
    expect(read()).toMatchObject({ isKnown: true, problem: null })
  })
})
