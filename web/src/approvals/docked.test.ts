import { describe, expect, it } from 'vitest'
import { dock, dockedIn, nextShown } from './docked.ts'

const ids = (...all: readonly string[]) => all.map(id => ({ id }))

describe('the dock', () => {
  it('[W4] keeps showing a request while others come and go', () => {
    expect(nextShown(null, ids('a', 'b'))).toBe(0)
    expect(nextShown({ id: 'b', at: 1 }, ids('a', 'b', 'c'))).toBe(1)
    expect(nextShown({ id: 'b', at: 1 }, ids('b', 'c'))).toBe(0)
  })

  it('[W4] shows the next request after an answer', () => {
    expect(nextShown({ id: 'b', at: 1 }, ids('a', 'c'))).toBe(1)
    expect(nextShown({ id: 'c', at: 2 }, ids('a', 'b'))).toBe(1)
    expect(nextShown({ id: 'a', at: 0 }, [])).toBe(0)
  })

  it('[W4] is separate for each session', () => {
    dock('s', 'a')
    expect([dockedIn('s'), dockedIn('t')]).toEqual(['a', null])
    dock('s', null)
    expect(dockedIn('s')).toBeNull()
  })
})
