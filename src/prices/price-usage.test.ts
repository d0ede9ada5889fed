import { describe, expect, it } from 'vitest'
import type { Charge } from '../catalogue/charges.ts'
import { createPriceBook } from './open-price-book.ts'
import type { PriceBook, Rates } from './price-book.ts'
import { pricesSchema } from './price-settings.ts'
import { cacheUseOf, costsOf, unknownModels } from './price-usage.ts'

const rates: Rates = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, cacheWriteHour: 20 }
const book: PriceBook = {
  date: '2026-09-23',
  cutsOf: () => ({ contexts: [100], moments: [], daytimes: [] }),
  ratesOf: (model, _, context) =>
    model !== 'known' ? null : context > 100 ? { ...rates, input: 20 } : rates,
}
const million = 1_000_000

const charge = (more: Partial<Charge> = {}): Charge => ({
  model: 'known',
  reported: false,
  tokens: { input: million, output: 0, cacheRead: 0, cacheWrite: 0 },
  hourWrites: 0,
  at: 0,
  context: 0,
  ...more,
})

describe('costs', () => {
  it('[W8] reported and estimated costs are apart, and tokens with a reported cost are not estimated', () => {
    const charges = [charge(), charge({ reported: true }), charge({ model: 'strange' })]
    expect(costsOf({ cost: 3, charges }, book)).toEqual({
      reported: 3,
      estimated: 10,
      pricesOf: '2026-09-23',
    })
  })

  it('[W8] an unknown cost is unknown, not 0', () => {
    const unknown = { reported: null, estimated: null, pricesOf: null }
    expect(costsOf({ cost: null, charges: [charge({ model: 'strange' })] }, book)).toEqual(unknown)
    expect(costsOf({ cost: null, charges: [charge({ model: null })] }, book)).toEqual(unknown)
    expect(costsOf({ cost: null, charges: null }, book)).toEqual(unknown)
    const nothing = charge({ tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } })
    expect(costsOf({ cost: null, charges: [nothing] }, book)).toEqual(unknown)
    expect(costsOf({ cost: 0, charges: [charge({ reported: true })] }, book).reported).toBe(0)
  })

  it('[W8] each kind of token has its own price, and long requests have another', () => {
    const estimated = (more: Partial<Charge>) =>
      costsOf({ cost: null, charges: [charge(more)] }, book).estimated
    const only = (name: string) => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, [name]: million })
    expect(estimated({ tokens: only('output') })).toBe(50)
    expect(estimated({ tokens: only('cacheRead') })).toBe(1)
    expect(estimated({ tokens: only('cacheWrite') })).toBe(12.5)
    expect(estimated({ tokens: only('cacheWrite'), hourWrites: million })).toBe(20)
    expect(estimated({ tokens: only('cacheWrite'), hourWrites: million / 2 })).toBe(16.25)
    expect(estimated({ context: 101 })).toBe(20)
  })

  it('[W8] names the models without a price, with their tokens', () => {
    const charges = [
      charge({ model: 'a' }),
      charge({ model: 'b', tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } }),
      charge({ model: 'b', tokens: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 } }),
      // The usage beyond single requests can be less than nothing for one model, and more for another.
      charge({ model: 'c', tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }),
      charge({ model: 'd', reported: true }),
      charge(),
    ]
    expect(unknownModels(charges, book)).toEqual([
      { model: 'a', tokens: million },
      { model: 'b', tokens: 11 },
    ])
  })

  it('[W8] the hit rate of caches, and what they saved, less what writing to them cost', () => {
    const tokens = { input: million, output: million, cacheRead: 8 * million, cacheWrite: million }
    expect(cacheUseOf({ charges: [charge({ tokens })] }, book)).toEqual({
      hitRate: 0.8,
      // Nine million tokens of input for $90, instead of $8 and $12.50.
      saved: 69.5,
    })
    expect(cacheUseOf({ charges: [] }, book)).toEqual({ hitRate: null, saved: null })
    expect(cacheUseOf({ charges: [charge({ model: 'strange' })] }, book)).toEqual({ hitRate: 0, saved: null })
  })
})

describe('prices in settings', () => {
  const settings = pricesSchema.parse({
    Known: { input: 1, output: 2 },
    'known-big': { input: 3, output: 4, cacheRead: 0.5, above: [{ tokens: 100, input: 6, output: 8 }] },
  })

  it('[W8] replace those of the table, by the longest name', async () => {
    const own = await createPriceBook(settings, async () => book)()
    const plain = { cacheRead: 1, cacheWrite: 1, cacheWriteHour: 1 }
    expect(own.ratesOf('known', 0, 0)).toEqual({ input: 1, output: 2, ...plain })
    expect(own.ratesOf('known-big-2026', 0, 100)).toMatchObject({ input: 3, cacheRead: 0.5, cacheWrite: 3 })
    expect(own.ratesOf('known-big-2026', 0, 101)).toMatchObject({ input: 6, cacheRead: 6 })
    expect(own.cutsOf(['known-big'])).toEqual({ contexts: [100], moments: [], daytimes: [] })
    expect(own.ratesOf('other', 0, 0)).toBeNull()
    expect(own.date).toBe('2026-09-23')
  })

  it('[W8] count when the table cannot be loaded, too', async () => {
    const own = await createPriceBook(settings, () => Promise.reject(new Error('gone')))()
    expect(own.ratesOf('known', 0, 0)?.input).toBe(1)
    expect(own.ratesOf('other', 0, 0)).toBeNull()
    expect(own.cutsOf(['other'])).toEqual({ contexts: [], moments: [], daytimes: [] })
    expect(own.date).toBeNull()
  })

  it('[W8] are refused when they are not prices', () => {
    for (const wrong of [
      { m: { input: 1 } },
      { m: { input: -1, output: 1 } },
      { m: 3 },
      { '': { input: 1, output: 1 } },
    ])
      expect(pricesSchema.safeParse(wrong).success).toBe(false)
  })
})
