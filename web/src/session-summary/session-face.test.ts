import { describe, expect, it } from 'vitest'
import { facesAfter, nameOf, untitled, withOpen, withPinned, withWaiting } from './session-face.ts'
import { listed } from './listed.fixture.ts'

describe('session faces', () => {
  it('[W1] stay the same objects while text streams', () => {
    const before = facesAfter([], [listed({ id: 'a', status: 'running' }), listed({ id: 'b' })])
    const after = facesAfter(before, [
      listed({ id: 'a', status: 'running', seq: 99, updatedAt: 5, cost: 1 }),
      listed({ id: 'b' }),
    ])
    expect(after).toBe(before)
  })

  it('[W1] only changed sessions get a new object', () => {
    const before = facesAfter([], [listed({ id: 'a' }), listed({ id: 'b' })])
    const after = facesAfter(before, [listed({ id: 'a', status: 'running' }), listed({ id: 'b' })])
    expect(after).not.toBe(before)
    expect(after[0]?.standing).toBe('running')
    expect(after[1]).toBe(before[1])
  })

  it('[W1] reflect a new order and a removed session', () => {
    const [a, b] = [listed({ id: 'a' }), listed({ id: 'b' })]
    const before = facesAfter([], [a, b])
    expect(facesAfter(before, [b, a]).map(({ id }) => id)).toEqual(['b', 'a'])
    expect(facesAfter(before, [b]).map(({ id }) => id)).toEqual(['b'])
  })

  it('[W1] include the open session even if its page is not loaded, after newer ones, and only once', () => {
    const shown = facesAfter([], [listed({ id: 'new', createdAt: 9 }), listed({ id: 'known', createdAt: 5 })])
    const face = (id: string, createdAt: number, more = {}) =>
      facesAfter([], [listed({ id, createdAt, ...more })])[0] ?? null
    expect(withOpen(shown, face('old', 2)).map(({ id }) => id)).toEqual(['new', 'known', 'old'])
    for (const open of [null, face('known', 5), face('newest', 10), face('away', 2, { archived: true })])
      expect(withOpen(shown, open)).toBe(shown)
  })

  it('[W1] include a pinned session even if its page is not loaded, and only once', () => {
    const shown = facesAfter([], [listed({ id: 'new' }), listed({ id: 'known', pinned: true })])
    const pinned = facesAfter(
      [],
      [listed({ id: 'known', pinned: true }), listed({ id: 'old', pinned: true })],
    )
    expect(withPinned(shown, pinned).map(({ id }) => id)).toEqual(['old', 'new', 'known'])
    expect(withPinned(shown, [])).toBe(shown)
  })

  it('[W1] include a waiting session even if its page is not loaded, and only once', () => {
    const shown = facesAfter([], [listed({ id: 'new' }), listed({ id: 'known', status: 'waiting' })])
    const running = facesAfter(
      [],
      [
        listed({ id: 'old', status: 'waiting' }),
        listed({ id: 'known', status: 'waiting' }),
        listed({ id: 'busy', status: 'running' }),
        listed({ id: 'away', status: 'waiting', archived: true }),
      ],
    )
    expect(withWaiting(shown, running).map(({ id }) => id)).toEqual(['old', 'away', 'new', 'known'])
    expect(withWaiting(shown, [])).toBe(shown)
  })

  it('[W1] have a name even without a title', () => {
    expect(nameOf({ title: ' ' })).toBe(untitled)
    expect(nameOf({ title: null })).toBe(untitled)
    expect(nameOf({ title: 'x' })).toBe('x')
  })
})
