import { describe, expect, it } from 'vitest'
import { cpuTime } from '../projections/cpu-time.fixture.ts'
import { linesOf } from './lines.ts'
import { manyLines, numbered } from './talk.fixture.ts'
import { createVisibleLines } from './visible-lines.ts'

const of = (...texts: readonly string[]) => linesOf(texts)

describe('visible lines', () => {
  it('[X3] the newest place is found, whatever the order of showing', () => {
    const lines = of(manyLines('a', 10))
    for (const orders of [
      [1, 2, 3],
      [3, 1, 2],
      [2, 3, 1],
    ]) {
      const visible = createVisibleLines()
      for (const order of orders) visible.show(order, `p${order}`, lines, 0, 10)
      expect(visible.find(lines, 0)?.source).toBe('p3')
      visible.hide('p3')
      expect(visible.find(lines, 0)?.source).toBe('p2')
      visible.show(3, 'p3', lines, 0, 10)
      expect(visible.find(lines, 0)?.source).toBe('p3')
    }
  })

  it('[X3] only visible lines count, and a run ends where they end', () => {
    const visible = createVisibleLines()
    const lines = of(manyLines('a', 30))
    visible.show(1, 'p', lines, 5, 10)
    expect(visible.find(lines, 0)).toBeNull()
    expect(visible.find(lines, 5)).toEqual({ source: 'p', sourceFrom: 5, lines: 10 })
    expect(visible.find(lines, 10)).toBeNull()
  })

  it('[X3] line numbers do not matter as long as they are consecutive', () => {
    const visible = createVisibleLines()
    visible.show(1, 'p', of(manyLines('a', 30)), 0, 30)
    expect(visible.find(of(numbered(manyLines('a', 30), 7)), 0)?.lines).toBe(30)
    const jumping = `${numbered(manyLines('a', 10))}\n${numbered(manyLines('a', 20, 11), 50)}`
    expect(visible.find(of(jumping), 0)?.lines).toBe(10)
    expect(visible.find(of(jumping), 10)).toEqual({ source: 'p', sourceFrom: 10, lines: 20 })
  })

  it('[X3] a run does not continue from one text of a part into the next', () => {
    const visible = createVisibleLines()
    visible.show(1, 'p', of(manyLines('a', 20)), 0, 20)
    expect(visible.find(of(manyLines('a', 8), manyLines('a', 12, 9)), 0)?.lines).toBe(8)
  })

  it('[X3] lines with the same hash but different text are not the same', () => {
    const lines = of(manyLines('a', 10))
    const other = { ...of(manyLines('b', 10)), hash: lines.hash }
    const visible = createVisibleLines()
    visible.show(1, 'p', lines, 0, 10)
    expect(visible.find(other, 0)).toBeNull()
  })

  it.each([
    ['shown in order', [1, 2, 3], []],
    ['shown before later ones', [3, 2, 1], []],
    ['hidden', [1, 2, 3], [1, 2, 3]],
    ['hidden and shown again', [1, 2, 3, 1, 2, 3], [3, 1]],
  ])('[X10] cost the same for each line when all are the same: %s', (_, shown, hidden) => {
    const timeOf = (count: number) => {
      const lines = of('x = 1\n'.repeat(count))
      return cpuTime(() => {
        const visible = createVisibleLines()
        for (const order of shown) {
          visible.hide(`p${order}`)
          visible.show(order, `p${order}`, lines, 0, lines.count)
        }
        for (const order of hidden) visible.hide(`p${order}`)
        for (let from = 0; from < lines.count; from += 1) visible.find(lines, from)
      })
    }
    const [short, long] = [timeOf(1_000), timeOf(8_000)]
    // Linear is 8 times; quadratic would be 64.
    expect(long / short).toBeLessThan(24)
  })
})
