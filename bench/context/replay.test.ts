import { describe, expect, it } from 'vitest'
import { anchor, everything } from './anchors/show.ts'
import { fixedPrefix } from './counting.ts'
import { noScore, replay } from './replay.ts'
import { reportOf } from './report.ts'
import { readSession } from './transcript/read-session.ts'
import { threeRequests } from './transcript/transcript.fixture.ts'

/** Clears every result at once, as soon as it is not the newest. */
const careless = anchor('careless', () => (_request, seen) => {
  const results = seen.filter(({ kind }) => kind === 'result')
  return new Map(results.slice(0, -1).map(block => [block, '[gone]']))
})

/** Clears the newest result before anyone saw it. */
const blind = anchor(
  'blind',
  () => (_request, seen) => new Map(seen.filter(({ kind }) => kind === 'result').map(block => [block, ''])),
)

const scored = (...policies: readonly ReturnType<typeof anchor>[]) => {
  const scores = policies.map(noScore)
  replay(readSession('s', threeRequests), scores)
  return scores
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

// 100 characters of the person; then 50 of the model, a call of 18 and its result of 1,000; then a call of 73, its result of 2 and 10 more.
const first = 29.8
const second = first + 14.9 + (5.364 + 40) + (298 + 30)
const third = second + (21.754 + 40) + (0.596 + 30) + 2.98

describe('counting', () => {
  it('[X3] counts characters × 0.298, 40 for a call and 30 for a result', () => {
    const [off] = scored(everything)
    expect(off?.usage.messageTokens).toBeCloseTo(first + second + third, 6)
  })

  it('[X3] charges 0.1 for the cached prefix and 1.25 for the rest; the first request and one after 300 s find nothing cached', () => {
    const [off] = scored(everything)
    const costs = [
      1.25 * (fixedPrefix + first),
      0.1 * (fixedPrefix + first) + 1.25 * (second - first),
      1.25 * (fixedPrefix + third),
    ]
    expect(off?.usage.cost).toBeCloseTo(sum(costs), 6)
    expect(off?.usage.costUncached).toBeCloseTo(3 * fixedPrefix + first + second + third, 6)
  })

  it('[X3] with a cache of an hour, the third request is served from it', () => {
    const [off] = scored(everything)
    const costs = [
      2 * (fixedPrefix + first),
      0.1 * (fixedPrefix + first) + 2 * (second - first),
      0.1 * (fixedPrefix + second) + 2 * (third - second),
    ]
    expect(off?.hourly.cost).toBeCloseTo(sum(costs), 6)
  })

  it('[X3] an edit has lost its source when the text that it replaces was in the history and no longer is', () => {
    const [off, careful, lost] = scored(everything, careless, blind)
    expect([off, careful, lost].map(score => [score?.losses.edits, score?.losses.editsLost])).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
    ])
  })

  it('[X3] a change of a sent part breaks the cache only while it is warm', () => {
    const [, changed] = scored(everything, careless)
    // The read result goes before the third request, which is cold.
    expect(changed?.usage.warmBreaks).toBe(0)
    expect(changed?.hourly.warmBreaks).toBe(1)
  })

  it('[X3] reports savings as fractions of sending everything', () => {
    const report = reportOf(scored(everything, careless), 1, 3)
    const gone = 298 - 6 * 0.298
    expect(report.policies.map(({ name }) => name)).toEqual(['off', 'careless'])
    expect(report.policies[1]?.messageTokensSaved).toBeCloseTo(gone / (first + second + third), 9)
    expect(report.policies[0]).toMatchObject({
      messageTokensSaved: 0,
      costSaved: 0,
      editsLost: 0,
      over160k: 0,
    })
  })
})
