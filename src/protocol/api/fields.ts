import * as z from 'zod/mini'
import { idSchema } from '../command.ts'

/** A name, or a few words. */
export const name = z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(1000, 'is too long'))
/** Where a page ended. */
export const cursor = z.string().check(z.maxLength(200, 'is not a valid cursor'))
/** A whole number in a query. */
export const wholeNumber = (message: string) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/, message)),
    z.transform((text: string) => Number(text)),
  )
/** The number of an entry in a query. */
export const seq = wholeNumber('must be an entry number, 0 or more')
/** Yes or no in a query. */
export const flag = z.pipe(
  z.enum(['0', '1'], 'must be 1 or 0'),
  z.transform((text: '0' | '1') => text === '1'),
)
/** How many at most, in a query. */
export const limit = (most: number) =>
  z.pipe(
    wholeNumber(`must be a whole number from 1 to ${most}`),
    z.number().check(z.gte(1, `must be from 1 to ${most}`), z.lte(most, `must be from 1 to ${most}`)),
  )
/** The dialect of chunks. */
export const dialect = z.enum(['portable', 'v7'], 'must be "portable" or "v7"')
/** The parameters of a path within a session. */
export const inSession = z.strictObject({ session: idSchema })
/** The parameters of a path within an interaction. */
export const inInteraction = z.strictObject({ session: idSchema, interaction: idSchema })
/** How a session is read. */
export const reading = { deleted: z.optional(flag) }
/** Tokens of one or more requests. */
export const tokensSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})
