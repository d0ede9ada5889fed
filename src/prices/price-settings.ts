import * as z from 'zod/mini'
import type { PriceBook, Rates } from './price-book.ts'

const message = 'dollars for a million tokens, 0 or more'
const price = z.number(message).check(z.gte(0, message))
const form = 'prices by the name of a model, as in {"my-model": {"input": 1.5, "output": 6}}'

/** Your own prices, by the beginning of a model's name. What is missing is taken from the prices before it. */
export const pricesSchema = z.record(
  z.string().check(z.minLength(1, form), z.maxLength(200, form)),
  z.strictObject(
    {
      input: price,
      output: price,
      /** `input` by default. */
      cacheRead: z.optional(price),
      cacheWrite: z.optional(price),
      /** `cacheWrite` by default. */
      cacheWriteHour: z.optional(price),
      /** Other prices for requests with more tokens of input. */
      above: z.optional(
        z.array(
          z.strictObject(
            {
              tokens: z.int(message).check(z.gte(1, message)),
              input: price,
              output: price,
              cacheRead: z.optional(price),
              cacheWrite: z.optional(price),
              cacheWriteHour: z.optional(price),
            },
            form,
          ),
          form,
        ),
      ),
    },
    form,
  ),
  form,
)

/** The prices in settings. */
export type PriceSettings = z.infer<typeof pricesSchema>
type Given = PriceSettings[string]

/** A price book in which some prices are replaced. The longest name that a model's name begins with counts. */
export function withSettings(book: PriceBook, settings: PriceSettings): PriceBook {
  const names = Object.keys(settings).toSorted((one, other) => other.length - one.length)
  const givenFor = (model: string): Given | undefined => {
    const wanted = model.toLowerCase()
    const name = names.find(each => wanted.startsWith(each.toLowerCase()))
    return name === undefined ? undefined : settings[name]
  }
  return {
    date: book.date,
    cutsOf(models) {
      const own = models.flatMap(model => givenFor(model) ?? [])
      const cuts = book.cutsOf(models.filter(model => givenFor(model) === undefined))
      const tiers = own.flatMap(({ above = [] }) => above.map(({ tokens }) => tokens))
      return { ...cuts, contexts: [...new Set([...cuts.contexts, ...tiers])] }
    },
    ratesOf(model, at, context) {
      const given = givenFor(model)
      return given === undefined ? book.ratesOf(model, at, context) : ratesIn(given, context)
    },
  }
}

function ratesIn(given: Given, context: number): Rates {
  const tier = given.above
    ?.toSorted((one, other) => other.tokens - one.tokens)
    .find(({ tokens }) => context > tokens)
  const { input, output, cacheRead = input, cacheWrite = input, cacheWriteHour } = tier ?? given
  return { input, output, cacheRead, cacheWrite, cacheWriteHour: cacheWriteHour ?? cacheWrite }
}
