import { expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import type { Tokens } from '../protocol/data-parts.ts'
import { spentIn } from './spent.ts'

const told = (tokens: Tokens, cost: number | null, hourWrites?: number): Chunk => ({
  type: 'data-usage',
  data: {
    tokens,
    cost,
    model: 'm',
    request: { id: 'r', tokens, ...(hourWrites !== undefined && { hourWrites }) },
  },
})

it('[W8] takes usage as it is reported', () => {
  const tokens = { input: 1, output: 2_000_000, cacheRead: 3_000_000_000, cacheWrite: 4 }
  expect(spentIn(told(tokens, 0.25, 3))).toEqual({
    spent: { tokens, cost: 0.25 },
    model: 'm',
    exact: true,
    request: { id: 'r', tokens, hourWrites: 3 },
  })
})

it('[S12] absurd numbers of an agent count as nothing, or as the most that there is', () => {
  const absurd = { input: -5, output: 1e308, cacheRead: 2 ** 53, cacheWrite: 2.6 }
  const tokens = { input: 0, output: 1e11, cacheRead: 1e11, cacheWrite: 3 }
  for (const cost of [-1, 1e308, Number.POSITIVE_INFINITY, Number.NaN])
    expect(spentIn(told(absurd, cost, 999))).toMatchObject({
      spent: { tokens, cost: null },
      request: { tokens, hourWrites: 3 },
    })
  const metadata = { tokens: { ...absurd, input: '7' }, cost: -3 }
  expect(spentIn({ type: 'finish', messageMetadata: metadata })).toMatchObject({
    spent: { tokens, cost: null },
  })
})
