import { expect, it } from 'vitest'
import { burnOf } from './burn-of.ts'

const minute = 60_000
const tokens = { input: 100, output: 20, cacheRead: 400, cacheWrite: 80 }
const costs = { reported: 1, estimated: 2, pricesOf: '2026-09-23' }
const end = 300 * minute

it('[W6] a block that goes on burns from its first use until now, and its cost at the end is projected', () => {
  const span = { first: 10 * minute, last: 30 * minute }
  expect(burnOf({ tokens, costs }, span, end, 70 * minute)).toEqual({
    ...span,
    end,
    active: true,
    tokensPerMinute: 10,
    costPerHour: 3,
    projected: 3 + (3 * 230) / 60,
  })
})

it('[W6] a block that is over burned until its last use', () => {
  const span = { first: 10 * minute, last: 40 * minute }
  expect(burnOf({ tokens, costs }, span, end, end)).toMatchObject({
    active: false,
    tokensPerMinute: 20,
    costPerHour: 6,
    projected: null,
  })
})

it('[W6] less than a minute gives no speed, and an unknown cost no projection', () => {
  const span = { first: minute, last: minute }
  expect(burnOf({ tokens, costs }, span, end, minute + 1)).toMatchObject({
    tokensPerMinute: null,
    costPerHour: null,
    projected: null,
  })
  const unknown = { reported: null, estimated: null, pricesOf: null }
  expect(burnOf({ tokens, costs: unknown }, span, end, 61 * minute)).toMatchObject({
    tokensPerMinute: 10,
    costPerHour: null,
    projected: null,
  })
})
