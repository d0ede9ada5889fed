import { describe, expect, it } from 'vitest'
import { newlyWaiting, notificationOf, pendingIn } from './attention.tsx'

describe('notifications', () => {
  it('[W4] report new requests, not those that were pending when the page opened', () => {
    const first = [{ id: 's', pending: 1 }]
    expect(newlyWaiting(null, first)).toEqual([])
    const before = pendingIn(first)
    expect(newlyWaiting(before, first)).toEqual([])
    expect(newlyWaiting(before, [{ id: 's', pending: 0 }])).toEqual([])
    expect(
      newlyWaiting(before, [
        { id: 's', pending: 2 },
        { id: 't', pending: 1 },
      ]).map(({ id }) => id),
    ).toEqual(['s', 't'])
  })

  it('[W4] state how many requests are pending', () => {
    expect(notificationOf({ pending: 1 }, 'Title')).toEqual({
      title: 'Title',
      body: 'The agent is waiting for your answer.',
    })
    expect(notificationOf({ pending: 3 }, 'Title').body).toMatch(/^3 requests/)
  })
})
