import { describe, expect, it } from 'vitest'
import { ticksUpTo, timeTicksUpTo } from './scale.ts'

describe('the ticks of an axis', () => {
  it('[W6] are round numbers, and reach beyond the maximum', () => {
    expect(ticksUpTo(4.2)).toEqual([0, 2, 4, 6])
    expect(ticksUpTo(0.37)).toEqual([0, 0.1, 0.2, 0.3, 0.4])
    expect(ticksUpTo(205_286_095)).toEqual([0, 100_000_000, 200_000_000, 300_000_000])
    expect(ticksUpTo(0)).toEqual([0, 1])
    expect(ticksUpTo(4)).toEqual([0, 1, 2, 3, 4])
    for (const most of [0.003, 0.7, 1, 9.99, 12, 99, 1234]) {
      const ticks = ticksUpTo(most)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
      expect(ticks.length).toBeLessThanOrEqual(7)
    }
  })

  it('[W6] of durations are units that people use', () => {
    expect(timeTicksUpTo(50_000)).toEqual([0, 15_000, 30_000, 45_000, 60_000])
    expect(timeTicksUpTo(3_500_000)).toEqual([0, 900_000, 1_800_000, 2_700_000, 3_600_000])
    expect(timeTicksUpTo(100 * 3_600_000).at(-1)).toBeGreaterThanOrEqual(100 * 3_600_000)
  })
})
