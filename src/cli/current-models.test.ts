import { expect, it } from 'vitest'
import { pricesOf } from '../agents/model/prices.ts'
import { providerNames, providers } from '../agents/model/providers.ts'
import { openPriceTable } from '../prices/price-table.ts'

const now = Date.now()

it('[A17] every model that is offered for a service has the price of the price table', async () => {
  const table = await openPriceTable()
  const models = providerNames.flatMap(name => providers[name].models)
  expect(models.length).toBeGreaterThan(6)
  for (const model of models) {
    const rates = table.ratesOf(model, now, 0)
    expect(rates, model).not.toBeNull()
    const { input, output, cacheRead, cacheWrite } = rates ?? {}
    expect(pricesOf(model), model).toEqual({ input, output, cacheRead, cacheWrite })
  }
})
