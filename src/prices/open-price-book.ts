import { noCuts } from '../catalogue/charges.ts'
import type { PriceBook } from './price-book.ts'
import { withSettings, type PriceSettings } from './price-settings.ts'

/** Loads the price book when it is first needed. */
export type OpenPriceBook = () => Promise<PriceBook>

const noTable: PriceBook = { date: null, cutsOf: () => noCuts, ratesOf: () => null }

/** The prices of the table and of the settings. Without the table, only the models in the settings have a price. */
export function createPriceBook(
  settings: PriceSettings = {},
  openTable: OpenPriceBook = async () => (await import('./price-table.ts')).openPriceTable(),
): OpenPriceBook {
  let opened: Promise<PriceBook> | undefined
  return () => {
    // A broken table must not hide usage: its costs are then shown as unknown.
    opened ??= openTable().catch(() => noTable)
    return opened.then(book => withSettings(book, settings))
  }
}
