import { describe, expect, it } from 'vitest'
import type { ListedApproval, ListedSession } from 'dragoman/client'
import { everything, markOf, matches } from './ledger.ts'

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

describe('the rows of the ledger', () => {
  it('[W4] the mark changes with requests, answers and titles, but not with streaming text', () => {
    const before = markOf([session('s', { seq: 1 }), session('t')])
    expect(markOf([session('t'), session('s', { seq: 99 })])).toBe(before)
    const waiting = { pending: 1, status: 'waiting' } as const
    const asked = markOf([session('s', { ...waiting, seq: 3 }), session('t')])
    expect(asked).not.toBe(before)
    expect(markOf([session('s', { ...waiting, seq: 9 }), session('t')])).not.toBe(asked)
    expect(markOf([session('s', { title: 'Other' }), session('t')])).not.toBe(before)
  })

  it('[W4] rows are found by tool, input, reason, session title, outcome and who answered', () => {
    const found = row('a', 1, { reason: 'Because' })
    for (const words of ['bash', 'LS', 'because', 'title of s', ''])
      expect(matches(found, { ...everything, words })).toBe(true)
    expect(matches(found, { ...everything, words: 'elsewhere' })).toBe(false)
    expect(matches(found, { ...everything, status: 'denied' })).toBe(false)
    expect(matches(found, { ...everything, by: 'rule' })).toBe(false)
  })
})
