import type { Prices } from './lines.ts'

const price = (input: number, output: number, cacheRead: number, cacheWrite: number): Prices => ({
  input,
  output,
  cacheRead,
  cacheWrite,
})

/**
 * List prices in dollars for a million tokens, by the prefix of a model's name; the longest prefix counts. They
 * change: `prices` in the configuration wins, and a model that is not here has no cost rather than a wrong one.
 */
const table: Readonly<Record<string, Prices>> = {
  'claude-fable-5': price(10, 50, 1, 12.5),
  'claude-fable-5-1': price(10, 50, 0.25, 12.5),
  'claude-opus-5': price(5, 25, 0.5, 6.25),
  'claude-opus-5-5': price(4, 20, 0.2, 5),
  'claude-sonnet-5': price(2, 10, 0.2, 2.5),
  'claude-opus-4': price(15, 75, 1.5, 18.75),
  'claude-opus-4-5': price(5, 25, 0.5, 6.25),
  'claude-sonnet-4': price(3, 15, 0.3, 3.75),
  'claude-haiku-4': price(1, 5, 0.1, 1.25),
  'claude-3-7-sonnet': price(3, 15, 0.3, 3.75),
  'claude-3-5-haiku': price(0.8, 4, 0.08, 1),
  'gpt-6-sol': price(2, 10, 0.2, 2.5),
  'gpt-6-astra': price(10, 50, 1, 12.5),
  'gpt-6-luna': price(0.1, 0.5, 0.01, 0.125),
  'gpt-5': price(1.25, 10, 0.125, 1.25),
  'gpt-5-mini': price(0.25, 2, 0.025, 0.25),
  'gpt-5-nano': price(0.05, 0.4, 0.005, 0.05),
  'gpt-4.1': price(2, 8, 0.5, 2),
  'gpt-4.1-mini': price(0.4, 1.6, 0.1, 0.4),
  'gpt-4.1-nano': price(0.1, 0.4, 0.025, 0.1),
  'gpt-4o': price(2.5, 10, 1.25, 2.5),
  'gpt-4o-mini': price(0.15, 0.6, 0.075, 0.15),
  'gemini-3.8-flash': price(0.75, 3.75, 0.075, 0.75),
  'gemini-3.1-pro-preview': price(2, 12, 0.2, 2),
  'gemini-3.5-flash-lite': price(0.3, 2.5, 0.03, 0.3),
  'gemini-2.5-pro': price(1.25, 10, 0.125, 1.25),
  'gemini-2.5-flash': price(0.3, 2.5, 0.03, 0.3),
  'gemini-2.5-flash-lite': price(0.1, 0.4, 0.01, 0.1),
}

const byLength = Object.keys(table).toSorted((a, b) => b.length - a.length)

/** The price of a model, if it is in the table: by its name, or its name followed by a date or a version. */
export function pricesOf(model: string): Prices | null {
  const name = byLength.find(each => model === each || isVersionOf(model, each))
  return name === undefined ? null : (table[name] ?? null)
}

/** `claude-sonnet-4-5-20250929` is a `claude-sonnet-4`; `gpt-5-pro` is not a `gpt-5`. */
function isVersionOf(model: string, name: string): boolean {
  return model.startsWith(`${name}-`) && /^-(\d[\d.]*|latest|preview)(-|$)/.test(model.slice(name.length))
}
