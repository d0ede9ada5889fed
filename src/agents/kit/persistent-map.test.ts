import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../projections/cpu-time.fixture.ts'
import { emptyMap, entriesIn, getIn, isEmpty, setIn } from './persistent-map.ts'

describe('persistent map', () => {
  it('[A2] has the same entries as a plain map, and never changes an older version', () => {
    const changes = fc.array(fc.tuple(fc.nat(30), fc.nat()), { maxLength: 200 })
    fc.assert(
      fc.property(changes, list => {
        const plain = new Map<number, number>()
        let map = emptyMap<number, number>()
        for (const [key, value] of list) {
          const before = map
          const snapshot = structuredClone(before)
          map = setIn(map, key, value)
          plain.set(key, value)
          expect(before).toEqual(snapshot)
        }
        expect([...entriesIn(map)]).toEqual([...plain])
        expect(isEmpty(map)).toBe(plain.size === 0)
        for (const [key, value] of plain) expect(getIn(map, key)).toBe(value)
        expect(getIn(map, -1)).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })

  it('[R4] stays cheap when it is large', () => {
    let map = emptyMap<number, number>()
    const fill = () => {
      for (let at = 0; at < 100_000; at += 1) map = setIn(map, at, at)
    }
    expect(cpuTime(fill)).toBeLessThan(3_000)
    expect(map.layers.length).toBeLessThan(20)
  })
})
