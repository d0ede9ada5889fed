import type { UsageRow } from 'dragoman/client/usage'
import { describe, expect, it } from 'vitest'
import { binOf, binsBetween, labelled } from './bins.ts'
import { heightsOf, stackOf } from './series.ts'
import { noCosts, rowWith } from './usage.fixture.ts'

const row = (day: string, agent: string, reported: number | null): UsageRow =>
  rowWith({ day, agent, costs: { ...noCosts, reported } })
const reading = {
  nameOf: (each: UsageRow) => each.agent ?? '',
  valueOf: (each: UsageRow) => each.costs.reported ?? 0,
}

describe('columns over time', () => {
  it('[W6] have a place for every day, and stack the largest first', () => {
    const rows = [row('2026-11-10', 'a', 1), row('2026-11-12', 'a', 2), row('2026-11-12', 'b', 5)]
    const stack = stackOf(rows, { first: '2026-11-09', last: '2026-11-12' }, reading, 'en-GB')
    expect(stack.bins.map(({ label }) => label)).toEqual(['9 Nov', '10 Nov', '11 Nov', '12 Nov'])
    expect(stack.series).toEqual([
      { name: 'b', values: [0, 0, 0, 5], total: 5 },
      { name: 'a', values: [0, 1, 0, 2], total: 3 },
    ])
    expect(heightsOf(stack)).toEqual([0, 1, 0, 7])
  })

  it('[W6] group small values, and drop none', () => {
    const rows = Array.from({ length: 9 }, (_, index) => row('2026-11-12', `agent ${index}`, index + 1))
    const { series } = stackOf(rows, { first: '2026-11-12', last: '2026-11-12' }, reading)
    expect(series.map(({ name }) => name)).toEqual([
      'agent 8',
      'agent 7',
      'agent 6',
      'agent 5',
      'agent 4',
      '4 others',
    ])
    expect(series.reduce((sum, { total }) => sum + total, 0)).toBe(45)
  })

  it('[W6] are weeks, then months, when there are many days', () => {
    expect(binOf('2026-11-15', 'week')).toBe('2026-11-09')
    expect(binOf('2026-11-09', 'week')).toBe('2026-11-09')
    expect(binsBetween('2026-01-01', '2026-12-31')).toHaveLength(53)
    expect(binsBetween('2024-01-15', '2026-12-31', 'en-GB')).toHaveLength(36)
    const named = labelled(30)
    const names = Array.from({ length: 30 }, (_, index) => named(index)).filter(each => each !== null)
    expect(names).toEqual(['always', 'with-room', 'always', 'with-room', 'always', 'with-room'])
  })
})
