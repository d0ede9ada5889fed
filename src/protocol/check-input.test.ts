import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { checkInput } from './check-input.ts'

const schema = z.strictObject({
  name: z.string(),
  size: z.optional(z.number().check(z.int(), z.positive())),
  kind: z.optional(z.enum(['a', 'b'])),
  tags: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(2))),
  port: z.optional(z.union([z.number(), z.literal('any'), z.null()])),
  place: z.optional(z.union([z.string(), z.strictObject({ x: z.number() })])),
  id: z.optional(z.string().check(z.regex(/^\d$/, 'use one digit'))),
})

const wrong: readonly (readonly [value: unknown, sentence: string])[] = [
  [5, 'The body must be an object.'],
  [{}, 'The field "name" is missing.'],
  [{ name: 5 }, 'The field "name" must be a string.'],
  [{ name: 'n', size: 0.5 }, 'The field "size" must be a whole number.'],
  [{ name: 'n', size: 0 }, 'The field "size" must be more than 0.'],
  [{ name: 'n', kind: 'c' }, 'The field "kind" must be one of "a", "b".'],
  [{ name: 'n', tags: [] }, 'The field "tags" must not be empty.'],
  [{ name: 'n', tags: ['x', 'y', 'z'] }, 'The field "tags" must have at most 2 entries.'],
  [{ name: 'n', tags: [true] }, 'The field "tags.0" must be a string.'],
  [{ name: 'n', port: true }, 'The field "port" must be a number or "any" or null.'],
  [{ name: 'n', place: 5 }, 'The field "place" must be a string or an object.'],
  [{ name: 'n', place: { x: 'y' } }, 'The field "place.x" must be a number.'],
  [{ name: 'n', id: 'x' }, 'The field "id" is not valid: use one digit.'],
  [{ name: 'n', other: 1 }, 'The body has the unknown field "other". Remove it.'],
]

const toldOf = (value: unknown) => () => checkInput(schema, value, { whole: 'The body', piece: 'The field' })

describe('what is wrong with a value from outside', () => {
  const { localeError } = z.config()
  afterEach(() => z.config({ localeError }))

  it('[P1] is reported in a sentence that names the field', () => {
    for (const [value, sentence] of wrong) expect(toldOf(value)).toThrow(sentence)
  })

  it('[P1] is reported with the same text when another package changed zod’s messages', () => {
    z.config(z.locales.en())
    for (const [value, sentence] of wrong) expect(toldOf(value)).toThrow(sentence)
  })
})
