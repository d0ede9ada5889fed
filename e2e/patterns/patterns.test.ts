import { describe, expect, it } from 'vitest'
import { findPatterns, patternsIn } from './find-patterns.ts'
import { growthOf } from './growth.ts'
import { runsElsewhere } from './runs-elsewhere.ts'
import { tryPatterns } from './try-patterns.ts'

describe('the search for slow regular expressions', () => {
  it('[S28] finds literals, and the arguments of RegExp', () => {
    const { patterns, open } = patternsIn(
      'a.ts',
      [
        'const word = String.raw`\\w+`',
        "const one = new RegExp(`^${word}$`, 'u')",
        "export const two = (text: string) => text.replaceAll(/a+b/g, '') + new RegExp(text)",
      ].join('\n'),
    )
    expect(patterns.map(({ source, flags, place }) => `${place} /${source}/${flags}`).toSorted()).toEqual([
      'a.ts:2 /^\\w+$/u',
      'a.ts:3 /a+b/g',
    ])
    expect(open).toEqual([{ code: 'new RegExp(text)', place: 'a.ts:3' }])
  })

  it('[S28] finds each known kind of slow pattern', async () => {
    const slow = [
      '<[^>]*>',
      '\\n+$',
      '\\s*\\S+\\s*',
      '(a+)+$',
      '^(.+)__\\1_\\d+$',
      'api.?key.*(invalid|not valid)',
    ]
    const verdicts = await tryPatterns(
      slow.map(source => ({ source, flags: 'g', place: '' })),
      { length: 4_000, patience: 500 },
    )
    expect(verdicts.filter(({ fault }) => fault === null).map(({ at }) => slow[at])).toEqual([])
  })

  it('[S28] accepts work that grows linearly with the input', () => {
    const sum = (length: number) => () => {
      let total = 0
      for (let at = 0; at < length * 500; at++) total += at % 7
      return total
    }
    expect(growthOf(sum, 4_000)).toBeNull()
  })
})

describe('regular expressions', () => {
  it('[S12] [S28] none in src, web or proxies takes more than linear time on hostile input', async () => {
    const { patterns, open } = findPatterns()
    expect(patterns.length).toBeGreaterThan(300)
    expect(open.map(({ code }) => code).toSorted()).toEqual(Object.keys(runsElsewhere).toSorted())
    const unique = [...new Map(patterns.map(each => [`/${each.source}/${each.flags}`, each])).values()]
    const verdicts = await tryPatterns(unique, { length: 4_000, patience: 60_000 })
    const faults = verdicts.filter(({ fault }) => fault !== null)
    expect(faults.map(({ at, fault }) => `${unique[at]?.place} /${unique[at]?.source}/ ${fault}`)).toEqual([])
    // It takes 15 s of processor time, which a busy machine gives late.
  }, 600_000)
})
