import { describe, expect, it } from 'vitest'
import type { ListedApproval, ListedSession } from 'dragoman/client'
import { everything, markOf, matches, mergePast, type LedgerRow } from './ledger.ts'

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
const row = (id: string, at: number, more: Partial<ListedApproval> = {}) => ({
  session: session('s'),
  approval: approval(id, at, more),
})
const idsOf = (rows: readonly LedgerRow[]) => rows.map(each => each.approval.id)

describe('the ledger', () => {
  it('[W4] has what was read anew in the place of what was known of the same time', () => {
    const known = [row('d', 4), row('c', 3), row('b', 2), row('a', 1)]
    expect(idsOf(mergePast([row('e', 5), row('d', 4), row('b', 2)], known))).toEqual(['e', 'd', 'b', 'a'])
    expect(idsOf(mergePast([], known))).toEqual(['d', 'c', 'b', 'a'])
    expect(idsOf(mergePast(known, [row('a', 1), row('z', 1)]))).toEqual(['d', 'c', 'b', 'a', 'z'])
  })

  it('[W4] knows when something was asked, answered or renamed, and not when words stream by', () => {
    const before = markOf([session('s', { seq: 1 }), session('t')])
    expect(markOf([session('t'), session('s', { seq: 99 })])).toBe(before)
    const waiting = { pending: 1, status: 'waiting' } as const
    const asked = markOf([session('s', { ...waiting, seq: 3 }), session('t')])
    expect(asked).not.toBe(before)
    expect(markOf([session('s', { ...waiting, seq: 9 }), session('t')])).not.toBe(asked)
    expect(markOf([session('s', { title: 'Other' }), session('t')])).not.toBe(before)
  })

  it('[W4] is searched by tool, input, reason, session, answer and answerer', () => {
    const found = row('a', 1, { reason: 'Because' })
    for (const words of ['bash', 'LS', 'because', 'title of s', ''])
      expect(matches(found, { ...everything, words })).toBe(true)
    expect(matches(found, { ...everything, words: 'elsewhere' })).toBe(false)
    expect(matches(found, { ...everything, status: 'denied' })).toBe(false)
    expect(matches(found, { ...everything, by: 'rule' })).toBe(false)
  })
})
