import { describe, expect, it } from 'vitest'
import type { ListedApproval } from 'dragoman/client'
import { listed } from '../session-summary/listed.fixture.ts'
import { createLedgerReader } from './ledger-reader.ts'

interface Asked extends Pick<ListedApproval, 'id' | 'status'> {
  readonly session: string
  readonly requested: { readonly seq: number; readonly at: number }
}

interface Query {
  readonly status: string
  readonly cursor?: string
  readonly limit: string
}

const question = (at: number, status: Asked['status'] = 'granted'): Asked => ({
  id: `a${at}`,
  session: `s${at}`,
  status,
  requested: { seq: at, at },
})
const many = (count: number) => Array.from({ length: count }, (_, at) => question(at + 1))

/** A server with these questions in as many sessions; it can be made to fail, or to hold its answers. */
function createServer(questions: readonly Asked[]) {
  const server = { questions, calls: [] as string[], problem: null as string | null, gate: Promise.resolve() }
  const page = ({ status, cursor, limit }: Query) => {
    const found = server.questions
      .filter(each => (each.status === 'pending') === (status === 'pending'))
      .filter(({ requested }) => cursor === undefined || requested.at < Number(cursor))
      .toSorted((one, other) => other.requested.at - one.requested.at)
    const approvals = found.slice(0, Number(limit))
    const next = found.length > approvals.length ? String(approvals.at(-1)?.requested.at) : null
    return { approvals, sessions: approvals.map(({ session: id }) => listed({ id })), next }
  }
  const call = async (name: string, sent?: { readonly query: Query }) => {
    server.calls.push(name)
    await server.gate
    if (server.problem !== null) throw new Error(server.problem)
    return sent === undefined ? { rules: [], sessions: [] } : page(sent.query)
  }
  const reader = createLedgerReader({ call: call as never })
  const ids = () => ({
    waiting: reader.get().waiting.map(({ approval }) => approval.id),
    past: reader.get().past.map(({ approval }) => approval.id),
  })
  const settled = () => expect.poll(() => reader.get().isReading).toBe(false)
  return { server, reader, ids, settled }
}

describe('the reader of the ledger', () => {
  it('[W4] asks for pages, not for sessions: 1,000 of them take 3 requests, and one more per page', async () => {
    const { server, reader, ids, settled } = createServer([...many(1000), question(1001, 'pending')])
    reader.want('mark')
    reader.want('mark')
    await settled()
    expect(server.calls.toSorted()).toEqual(['GET /api/approvals', 'GET /api/approvals', 'GET /api/rules'])
    expect(ids().waiting).toEqual(['a1001'])
    expect(ids().past).toHaveLength(100)
    while (reader.get().hasMore) {
      reader.readMore()
      await settled()
    }
    expect(server.calls).toHaveLength(3 + 9)
    expect(ids().past).toEqual(
      many(1000)
        .map(({ id }) => id)
        .toReversed(),
    )
  })

  it('[W4] has what waits longest first, and what is over newest first', async () => {
    const { reader, ids, settled } = createServer([
      question(1),
      question(2, 'pending'),
      question(3, 'denied'),
      question(4, 'pending'),
    ])
    reader.want('mark')
    await settled()
    expect(ids()).toEqual({ waiting: ['a2', 'a4'], past: ['a3', 'a1'] })
  })

  it('[W4] reads on to a question that was asked long ago and answered now, and keeps what it had', async () => {
    const { server, reader, ids, settled } = createServer([question(50, 'pending'), ...many(400).slice(50)])
    reader.want('one')
    await settled()
    expect(ids().past).toHaveLength(100)
    server.questions = many(450).slice(49)
    reader.want('other')
    await settled()
    expect(ids()).toEqual({
      waiting: [],
      past: server.questions.map(({ id }) => id).toReversed(),
    })
    const before = server.calls.length
    server.questions = many(451).slice(49)
    reader.again()
    await settled()
    expect(server.calls.length - before).toBe(3)
    expect(ids().past).toEqual(server.questions.map(({ id }) => id).toReversed())
  })

  it('[W4] reads once more, once, what changed while it was reading', async () => {
    const { server, reader, settled } = createServer(many(3))
    const held = Promise.withResolvers<void>()
    server.gate = held.promise
    reader.want('one')
    reader.want('two')
    reader.want('three')
    held.resolve()
    await settled()
    expect(server.calls).toHaveLength(6)
    expect(reader.get().mark).toBe('three')
  })

  it('[W4] says what it could not read, keeps what it had, and tries again when asked to', async () => {
    const { server, reader, ids, settled } = createServer(many(2))
    reader.want('one')
    await settled()
    server.problem = 'Can’t reach the server.'
    reader.want('two')
    await settled()
    expect(reader.get()).toMatchObject({ problem: 'Can’t reach the server.', mark: 'one' })
    expect(ids().past).toEqual(['a2', 'a1'])
    server.problem = null
    reader.again()
    await settled()
    expect(reader.get()).toMatchObject({ problem: null, mark: 'two' })
  })
})
