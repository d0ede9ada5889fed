import { describe, expect, it } from 'vitest'
import { endOfDay, startOfDay, stretchesOf, zoneOf } from './days.ts'

const at = (text: string) => Date.parse(text)

describe('days of a zone', () => {
  it('[W6] begin at midnight of their zone, and are longer or shorter when clocks change', () => {
    const berlin = zoneOf('Europe/Berlin')
    expect(startOfDay(berlin, '2026-03-29')).toBe(at('2026-03-28T23:00:00Z'))
    expect(endOfDay(berlin, '2026-03-29')).toBe(at('2026-03-29T22:00:00Z'))
    expect(endOfDay(berlin, '2026-10-25') - startOfDay(berlin, '2026-10-25')).toBe(25 * 3_600_000)
    // Its clocks change between its midnight and that of UTC.
    expect(startOfDay(zoneOf('Australia/Sydney'), '2026-10-04')).toBe(at('2026-10-03T14:00:00Z'))
    expect(startOfDay(zoneOf('-210'), '2026-01-01')).toBe(at('2026-01-01T03:30:00Z'))
    expect(startOfDay(zoneOf('Asia/Kathmandu'), '2026-01-01')).toBe(at('2025-12-31T18:15:00Z'))
  })

  it('[W6] a year has a few stretches with the same clock offset', () => {
    const [from, to] = [at('2026-01-01T00:00:00Z'), at('2026-12-31T00:00:00Z')]
    expect(stretchesOf(zoneOf('Europe/Berlin'), from, to)).toEqual([
      { until: at('2026-03-29T01:00:00Z'), ms: 3_600_000 },
      { until: at('2026-10-25T01:00:00Z'), ms: 7_200_000 },
      { until: Number.MAX_SAFE_INTEGER, ms: 3_600_000 },
    ])
    expect(stretchesOf(zoneOf('UTC'), from, to)).toEqual([{ until: Number.MAX_SAFE_INTEGER, ms: 0 }])
  })

  it('[W6] refuses unknown days and zones with a clear error', () => {
    expect(() => zoneOf('Middle/Earth')).toThrow('There is no time zone "Middle/Earth".')
    expect(() => startOfDay(zoneOf('UTC'), '2026-13-01')).toThrow('2026-13-01 is not a valid day.')
    expect(() => startOfDay(zoneOf('UTC'), '2026-02-29')).toThrow('2026-02-29 is not a valid day.')
    expect(endOfDay(zoneOf('UTC'), '9999-12-31')).toBe(at('9999-12-31T00:00:00Z') + 86_400_000)
  })
})
