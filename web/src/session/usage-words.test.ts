import { expect, it } from 'vitest'
import { usageLines, usageWords } from './usage-words.ts'

const tokens = { input: 1000, output: 200, cacheRead: 11_000, cacheWrite: 0 }
const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

it('[W1] shows what was used, and nothing without usage', () => {
  expect(usageWords({ cost: 0.0123, tokens })).toEqual({ cost: '$0.012', tokens: '12.2k tokens' })
  expect(usageWords({ cost: null, tokens })).toEqual({ cost: null, tokens: '12.2k tokens' })
  expect(usageWords({ cost: 0, tokens: none })).toEqual({ cost: null, tokens: null })
  expect(usageWords({ cost: null, tokens: none })).toEqual({ cost: null, tokens: null })
})

it('[W1] an unknown cost is not shown as zero', () => {
  expect(usageLines({ cost: null, tokens: none })[0]).toEqual(['Cost', 'not reported'])
})
