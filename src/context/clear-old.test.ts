import { describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import type { Manifest } from './manifest.ts'
import { profiles } from './profiles.ts'
import { createTalk, manyLines } from './talk.fixture.ts'
import type { Policy } from './policy.ts'

/** One read of another file after the other, each compiled while the cache is warm: about 3,000 tokens a step. */
function readOn(policy: Policy, steps: number, boundary = true) {
  const talk = createTalk()
  talk.user('go')
  const manifests: Manifest[] = []
  for (let step = 0; step < steps; step++) {
    talk.call('Read', { file_path: `/w/${step}.ts` }, manyLines(`f${step}x`, 230))
    const previous = manifests.at(-1) ?? null
    const target = talk.target({ fixedTokens: 0, boundary: boundary && previous === null })
    manifests.push(compile(talk.history(), target, policy, previous).manifest)
  }
  return manifests
}

const broken = (manifests: readonly Manifest[]) =>
  manifests.slice(1).filter(({ isPrefixKept }) => !isPrefixKept)

describe('clearing while the cache is warm', () => {
  it('[X3] results that were not used for long are cleared in one batch, as soon as there are enough', () => {
    const [first, ...more] = broken(readOn(profiles.balanced, 40))
    expect(more).toEqual([])
    const gone = first?.changes.filter(({ decision }) => decision?.rule === 'unused') ?? []
    const gain = (first?.tokens.before ?? 0) - (first?.tokens.after ?? 0)
    expect(gain).toBeGreaterThanOrEqual(profiles.balanced.unused?.leastGain ?? 0)
    expect(gone.length).toBeGreaterThan(5)
    // Files that were used within twenty requests stay.
    expect((first?.step ?? 0) - gone.length).toBeGreaterThanOrEqual(20)
  })

  it('[X3] the default profile never does it: it clears only when that is free, or the window fills', () => {
    expect(broken(readOn(profiles.safe, 40))).toEqual([])
  })

  it('[X3] a full window is relieved by one large batch, not a little at each request', () => {
    const manifests = readOn({ ...profiles.safe, cold: null }, 90)
    const breaks = broken(manifests)
    expect(breaks.length).toBeGreaterThan(0)
    expect(breaks.length).toBeLessThanOrEqual(3)
    expect(Math.max(...manifests.map(({ tokens }) => tokens.after))).toBeLessThan(160_000)
  })

  it('[X3] a history that is larger than the window from the beginning is made to fit before it is sent', () => {
    const talk = createTalk()
    talk.user('go')
    for (let step = 0; step < 90; step++)
      talk.call('Read', { file_path: `/w/${step}.ts` }, manyLines(`f${step}x`, 230))
    const { manifest } = compile(talk.history(), talk.target(), { ...profiles.safe, cold: null }, null)
    expect(manifest.tokens.before).toBeGreaterThan(200_000)
    expect(manifest.tokens.after + 10_000).toBeLessThan(160_000)
  })
})
