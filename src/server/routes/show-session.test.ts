import { expect, it } from 'vitest'
import { catchUp } from '../../catalogue/catch-up.ts'
import { createPriceBook } from '../../prices/open-price-book.ts'
import { created, ended, finish, spoke, start, started } from '../../projections/journal.fixture.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse } from '../../sessions/house.fixture.ts'
import { createPuppet } from '../../sessions/puppet.fixture.ts'
import { showSessions } from './show-session.ts'

const used = (cost: number | null, model: string): Chunk => ({
  type: 'data-usage',
  data: { tokens: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 }, cost, model },
})

/** A session for each of these reports of usage. */
async function houseWith(told: Readonly<Record<string, Chunk>>) {
  const house = await openHouse([createPuppet()])
  for (const [id, chunk] of Object.entries(told)) {
    const story = [created(), started('i'), spoke('i', null, start('m'), chunk, finish), ended('i')]
    await house.journal.create(id as SessionId, story)
    await catchUp({ journal: house.journal, catalogue: house.options.catalogue }, id as SessionId)
  }
  return house
}

it('[W8] sessions in a list have what they cost, what agents reported and what is estimated apart', async () => {
  const { sessions } = await houseWith({
    reported: used(2, 'claude-opus-4-5'),
    estimated: used(null, 'claude-opus-4-5'),
    strange: used(null, 'nobody-knows-it'),
  })
  const { sessions: shown } = await showSessions({ sessions, openPrices: createPriceBook() }, { limit: 9 })
  const costs = Object.fromEntries(shown.map(({ id, cost, estimatedCost }) => [id, [cost, estimatedCost]]))
  expect(costs).toEqual({ reported: [2, undefined], estimated: [null, 5], strange: [null, undefined] })
})

it('[W8] a list without anything to estimate does not load the price table', async () => {
  const { sessions } = await houseWith({ reported: used(2, 'claude-opus-4-5') })
  const openPrices = () => Promise.reject(new Error('not needed'))
  const { sessions: shown } = await showSessions({ sessions, openPrices }, { limit: 9 })
  expect(shown).toMatchObject([{ cost: 2 }])
})
