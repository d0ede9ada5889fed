import * as z from 'zod/mini'
import { tokensSchema } from './fields.ts'

const moment = z
  .string()
  .check(
    z.regex(/^(?:\d{4}-\d{2}-\d{2}|\d{1,15})$/, 'must be a day (2026-11-15) or a number of milliseconds'),
  )
const names = ['day', 'agent', 'model', 'folder', 'tool'] as const

/** What a call for usage takes; `to` counts, where it is a day, and does not, where it is a moment. */
export const usageQuery = z.strictObject({
  from: z.optional(moment),
  to: z.optional(moment),
  /** Set to count demo sessions, too. */
  demo: z.optional(z.literal('1', 'must be 1')),
  zone: z.optional(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(100, 'is not a time zone')),
  ),
  by: z.optional(
    z.pipe(
      z
        .string()
        .check(
          z.regex(
            /^(?:day|agent|model|folder|tool)(?:,(?:day|agent|model|folder|tool)){0,4}$/,
            'must be one or more of day, agent, model, folder and tool, separated by commas',
          ),
        ),
      z.transform((text: string) => names.filter(name => text.split(',').includes(name))),
    ),
  ),
})

const count = z.nullable(z.int())
const sums = {
  /** In US dollars, as far as agents reported it. */
  cost: z.nullable(z.number()),
  tokens: z.nullable(tokensSchema),
  /** Milliseconds for which agents were at work, waiting for answers included. */
  time: count,
  /** Milliseconds for which tools ran; several may at once. */
  toolTime: count,
  interactions: count,
  /** Tool calls. */
  calls: count,
  failures: z.object({ interactions: count, calls: count }),
}

/** Usage; a sum is null where the grouping does not apply to it. */
export const usageReply = z.object({
  /** The moments that were looked at, in milliseconds; the last is not counted. */
  from: z.int(),
  to: z.int(),
  rows: z.array(
    z.object({
      day: z.optional(z.string()),
      agent: z.optional(z.string()),
      /** Null if unknown. */
      model: z.optional(z.nullable(z.string())),
      folder: z.optional(z.string()),
      tool: z.optional(z.string()),
      ...sums,
    }),
  ),
  total: z.object({ ...sums, sessions: z.int() }),
  unknown: z.object({
    /** Sessions in this period without cost data. */
    sessions: z.int(),
    /** Messages with tokens but without cost. */
    messages: z.int(),
    /** Sessions of an older version, which are being counted. */
    waiting: z.int(),
  }),
})
