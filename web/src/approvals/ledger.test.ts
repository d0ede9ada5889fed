import { describe, expect, it } from 'vitest'
import type { ListedApproval, ListedSession } from 'dragoman/client'
import { everything, ledgerOf, matches } from './ledger.ts'
import { createLedgerReader, isReadIn } from './ledger-reader.ts'

const session = (id: string, more: Partial<ListedSession> = {}) =>
  ({
    id,
    title: `Title of ${id}`,
    cwd: '/w',
    pending: 0,
    status: 'idle',
    interactions: 1,
    ...more,
  }) as ListedSession
const approval = (id: string, at: number, more: Partial<ListedApproval> = {}) =>
  ({
    id,
    tool: 'Bash',
    input: { command: 'ls' },
    status: 'granted',
    by: 'person',
    reason: null,
    requested: { seq: at, at },
    ...more,
  }) as ListedApproval
const read = (id: string, ...approvals: readonly ListedApproval[]) => ({
  session: session(id),
  approvals,
  rules: [],
})

describe('the ledger', () => {
  it('[W4] has what waits first, the longest-waiting first, then the newest of all sessions', () => {
    const { waiting, past } = ledgerOf([
      read('s', approval('a', 1), approval('b', 4, { status: 'pending' })),
      read('t', approval('c', 3), approval('d', 2, { status: 'pending' })),
      read('branch', approval('a', 9, { copied: true })),
    ])
    expect(waiting.map(row => row.approval.id)).toEqual(['d', 'b'])
    expect(past.map(row => row.approval.id)).toEqual(['c', 'a'])
  })

  it('[W4] is searched by tool, input, reason, session, answer and answerer', () => {
    const row = { session: session('s'), approval: approval('a', 1, { reason: 'Because' }) }
    for (const words of ['bash', 'LS', 'because', 'title of s', ''])
      expect(matches(row, { ...everything, words })).toBe(true)
    expect(matches(row, { ...everything, words: 'elsewhere' })).toBe(false)
    expect(matches(row, { ...everything, status: 'denied' })).toBe(false)
    expect(matches(row, { ...everything, by: 'rule' })).toBe(false)
  })
})

describe('the reader of the ledger', () => {
  function slowServer() {
    const open: { readonly id: string; readonly done: () => void; readonly fail: (error: Error) => void }[] =
      []
    const call = (_: string, { params }: { readonly params: { readonly session: string } }) =>
      new Promise((resolve, reject) => {
        const { session: id } = params
        open.push({ id, done: () => resolve({ approvals: [approval(id, 1)], rules: [] }), fail: reject })
      })
    return { open, reader: createLedgerReader({ call: call as never }) }
  }
  const settle = () => new Promise(setImmediate)

  it('[W4] asks for a few sessions at a time, and for each once', async () => {
    const { open, reader } = slowServer()
    const sessions = Array.from({ length: 10 }, (_, at) => session(`s${at}`))
    reader.want(sessions)
    reader.want(sessions)
    expect(open).toHaveLength(4)
    for (let at = 0; at < 10; at += 1) {
      open[at]?.done()
      await settle()
      expect(open.length).toBeLessThanOrEqual(at + 5)
    }
    expect(open).toHaveLength(10)
    expect(reader.get()).toMatchObject({ isReading: false, problem: null })
    expect(reader.get().read).toHaveLength(10)
  })

  it('[W4] reads a session anew when something was asked or answered there', async () => {
    const { open, reader } = slowServer()
    reader.want([session('s')])
    open[0]?.done()
    await settle()
    reader.want([session('s', { seq: 99 })])
    expect(open).toHaveLength(1)
    reader.want([session('s', { pending: 1, status: 'waiting' })])
    expect(open).toHaveLength(2)
    reader.again('s')
    expect(open).toHaveLength(3)
  })

  it('[W4] reads a session anew when one question took the place of another, and knows only then', async () => {
    const { open, reader } = slowServer()
    const [one, other] = [3, 9].map(seq => session('s', { pending: 1, status: 'waiting', seq }))
    if (one === undefined || other === undefined) throw new Error('There are two.')
    reader.want([one])
    expect(isReadIn(reader.get().read, one)).toBe(false)
    open[0]?.done()
    await settle()
    expect(isReadIn(reader.get().read, one)).toBe(true)
    expect(isReadIn(reader.get().read, other)).toBe(false)
    reader.want([other])
    open[1]?.done()
    await settle()
    expect(isReadIn(reader.get().read, other)).toBe(true)
  })

  it('[W4] tries what failed again when asked to, and nothing else', async () => {
    const { open, reader } = slowServer()
    reader.want([session('s'), session('t')])
    open[0]?.fail(new Error('The server cannot be reached.'))
    open[1]?.done()
    await settle()
    reader.retry()
    expect(open.map(({ id }) => id)).toEqual(['s', 't', 's'])
    expect(reader.get()).toMatchObject({ problem: null, isReading: true })
    open[2]?.done()
    await settle()
    expect(reader.get().read).toHaveLength(2)
    reader.retry()
    expect(open).toHaveLength(3)
  })

  it('[W4] says what it could not read, and tries again when it is wanted again', async () => {
    const { open, reader } = slowServer()
    reader.want([session('s')])
    open[0]?.fail(new Error('The server cannot be reached.'))
    await settle()
    expect(reader.get().problem).toBe('The server cannot be reached.')
    reader.want([session('s')])
    open[1]?.done()
    await settle()
    expect(reader.get()).toMatchObject({ problem: null, isReading: false })
  })
})
