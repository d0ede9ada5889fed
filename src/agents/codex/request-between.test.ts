import { expect, it } from 'vitest'
import { requestBetween } from './usage.ts'

it('[W8] a request is what the totals grew by, and a repeated report is none', () => {
  const before = { input: 100, cached: 60, written: 0, output: 10, reasoning: 0 }
  const after = { input: 400, cached: 260, written: 0, output: 15, reasoning: 0 }
  expect(requestBetween(before, after)).toEqual({
    id: '400+15',
    tokens: { input: 100, output: 5, cacheRead: 200, cacheWrite: 0 },
  })
  expect(requestBetween(after, after)).toBeUndefined()
})
