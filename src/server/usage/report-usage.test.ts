import { expect, it } from 'vitest'
import { createPuppet } from '../../sessions/puppet.fixture.ts'
import { catchUp } from '../../catalogue/catch-up.ts'
import { createPriceBook } from '../../prices/open-price-book.ts'
import { created, ended, finish, spoke, start, started } from '../../projections/journal.fixture.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse } from '../../sessions/house.fixture.ts'
import { reportUsage, type UsageParts } from './report-usage.ts'

const used = (input: number, cost: number | null, model: string): Chunk => ({
  type: 'data-usage',
  data: { tokens: { input, output: 0, cacheRead: 0, cacheWrite: 0 }, cost, model },
})
const million = 1_000_000

/** A house with three sessions: one with a reported cost, one without, and one of a strange model. */
async function openReports() {
  const house = await openHouse([createPuppet()])
  const usage = { one: used(million, 2, 'claude-opus-4-5'), two: used(million, null, 'claude-opus-4-5') }
  for (const [id, chunk] of Object.entries({ ...usage, three: used(5, null, 'strange') })) {
    const story = [created(), started('i'), spoke('i', null, start('m'), chunk, finish), ended('i')]
    await house.journal.create(id as SessionId, story)
    await catchUp({ journal: house.journal, catalogue: house.options.catalogue }, id as SessionId)
  }
  const parts: UsageParts = {
    sessions: house.sessions,
    journal: house.journal,
    openPrices: createPriceBook({ mine: { input: 1, output: 1 } }),
    now: Date.now,
  }
  return (query: Parameters<typeof reportUsage>[1], more: Partial<UsageParts> = {}) =>
    reportUsage({ ...parts, ...more }, query)
}

it('[W8] a report has reported and estimated costs apart, the date of the prices, and names unknown models', async () => {
  const report = await openReports()
  const { total, unknown, rows } = await report({ by: ['model'] })
  const costs = { reported: 2, estimated: 5, pricesOf: '2026-09-23' }
  expect(total.costs).toEqual(costs)
  expect(unknown.models).toEqual([{ model: 'strange', tokens: 5 }])
  // The old field and its value stay as they are.
  expect(total.cost).toBe(2)
  expect(rows.map(({ model, cost, costs: { estimated } }) => [model, cost, estimated])).toEqual([
    ['claude-opus-4-5', 2, 5],
    ['strange', null, null],
  ])
  const bySession = await report({ by: ['session'] })
  const none = { reported: null, estimated: null, pricesOf: null }
  expect(bySession.rows.map(({ session, cost }) => [session, cost])).toEqual([
    ['one', { ...none, reported: 2 }],
    ['three', none],
    ['two', { ...costs, reported: null }],
  ])
})

it('[W8] prices in the settings count, and without a table the costs of others are unknown', async () => {
  const report = await openReports()
  const own = createPriceBook({ strange: { input: 2, output: 2 } }, () => Promise.reject(new Error('gone')))
  const { total, unknown } = await report({ by: ['day'] }, { openPrices: own })
  expect(total.costs).toEqual({ reported: 2, estimated: 0.00001, pricesOf: null })
  expect(unknown.models).toEqual([{ model: 'claude-opus-4-5', tokens: million }])
})

it('[W6] the most expensive come first, with their prompts', async () => {
  const report = await openReports()
  const { rows } = await report({ by: ['interaction'], top: 10 })
  expect(rows.map(({ session, prompt, costs }) => [session, prompt, costs.estimated])).toEqual([
    ['two', 'Hello', 5],
    ['one', 'Hello', null],
  ])
  expect((await report({ by: ['session'], top: 1 })).rows.map(({ session }) => session)).toEqual(['two'])
})

it('[W6] a block has its speed', async () => {
  const report = await openReports()
  const hour = 3_600_000
  const { rows } = await report({ by: ['block'] }, { now: () => Date.now() + hour })
  expect(rows).toMatchObject([{ burn: { active: true }, tokens: { input: 2 * million + 5 } }])
  const [row] = rows
  expect(row?.burn?.costPerHour).toBeCloseTo(7, 0)
  expect(row?.burn?.end).toBe(Date.parse(row?.block ?? '') + 5 * hour)
})
