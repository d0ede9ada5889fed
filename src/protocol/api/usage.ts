import * as z from 'zod/mini'
import { usageGroups } from '../usage-groups.ts'
import { limit, tokensSchema } from './fields.ts'

const moment = z
  .string()
  .check(
    z.regex(/^(?:\d{4}-\d{2}-\d{2}|\d{1,15})$/, 'must be a day (2026-11-15) or a number of milliseconds'),
  )
const known: ReadonlySet<string> = new Set(usageGroups)
const manyNames =
  'must be one or more of day, agent, model, folder and tool, or of hour, block, branch, session, interaction, file and reason, separated by commas'

/** What a call for usage takes; `to` counts, where it is a day, and does not, where it is a moment. */
export const usageQuery = z.strictObject({
  from: z.optional(moment),
  to: z.optional(moment),
  /** Set to count demo sessions, too. */
  demo: z.optional(z.literal('1', 'must be 1')),
  zone: z.optional(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(100, 'is not a time zone')),
  ),
  /** Only the rows with the highest costs, or with the most calls where rows have no cost. */
  top: z.optional(limit(100)),
  by: z.optional(
    z.pipe(
      z.string().check(
        z.maxLength(200, manyNames),
        z.refine(text => text.split(',').every(name => known.has(name)), manyNames),
      ),
      z.transform((text: string) => usageGroups.filter(name => text.split(',').includes(name))),
    ),
  ),
})

const count = z.nullable(z.int())
const dollars = z.nullable(z.number())
/** In US dollars. What agents reported is never mixed with what is estimated. */
const costs = z.object({
  /** Null where no agent reported a cost. */
  reported: dollars,
  /** For tokens without a reported cost; null where there are none with a known price. */
  estimated: dollars,
  /** The date of the price table; null where nothing is estimated. */
  pricesOf: z.nullable(z.string()),
})
const sums = {
  costs,
  cache: z.object({
    /** The part of the input that was read from a cache. */
    hitRate: z.nullable(z.number()),
    /** In US dollars: how much more the same tokens would cost without caches. */
    saved: dollars,
  }),
  tokens: z.nullable(tokensSchema),
  /** Milliseconds for which agents were at work, waiting for answers included. */
  time: count,
  /** Milliseconds for which tools ran; several may at once. */
  toolTime: count,
  /** Milliseconds for which tool calls waited for a person. */
  waitTime: count,
  interactions: count,
  /** Tool calls. */
  calls: count,
  failures: z.object({ interactions: count, calls: count }),
  /** Lines that tool calls changed, as far as these show it. */
  lines: z.nullable(z.object({ added: z.int(), removed: z.int() })),
}

/** How fast a five-hour block is used; null where it was used for less than a minute. */
const burn = z.object({
  /** The first and the last use of the block, and its end, in milliseconds. */
  first: z.int(),
  last: z.int(),
  end: z.int(),
  /** Whether it goes on. */
  active: z.boolean(),
  tokensPerMinute: z.nullable(z.number()),
  costPerHour: dollars,
  /** The cost at its end, if it goes on like this; null if it is over. */
  projected: dollars,
})

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
      /** The beginning of the hour or of the five-hour block, in the time zone: `2026-11-15T14:00+01:00`. */
      hour: z.optional(z.string()),
      block: z.optional(z.string()),
      /** Null where it was not recorded. */
      branch: z.optional(z.nullable(z.string())),
      session: z.optional(z.string()),
      interaction: z.optional(z.nullable(z.string())),
      file: z.optional(z.string()),
      /** Why calls failed, without names and numbers; null where the tool gave no reason. */
      reason: z.optional(z.nullable(z.string())),
      /** The title of the session. */
      title: z.optional(z.nullable(z.string())),
      /** The beginning of the prompt, in a reply with at most 100 rows. */
      prompt: z.optional(z.string()),
      burn: z.optional(burn),
      /** In US dollars. A number, or null, as far as agents reported it; `costs` where rows have one of the newer groups. */
      cost: z.union([dollars, costs]),
      ...sums,
    }),
  ),
  total: z.object({ cost: dollars, ...sums, sessions: z.int() }),
  /** The limits of subscriptions that agents reported last and that have not started again since. */
  limits: z.array(
    z.object({
      agent: z.string(),
      /** In words, such as "5 hours" or "week". */
      name: z.string(),
      /** The used share: 1 is all of it. Null if unknown. */
      used: z.nullable(z.number()),
      /** When it starts again from zero, in milliseconds since 1970; null if unknown. */
      resetsAt: z.nullable(z.int()),
      isReached: z.boolean(),
      /** When the agent reported it. */
      at: z.int(),
    }),
  ),
  unknown: z.object({
    /** Sessions in this period without cost data. */
    sessions: z.int(),
    /** Messages with tokens but without cost. */
    messages: z.int(),
    /** Models with tokens, but with neither a reported cost nor a known price. */
    models: z.array(z.object({ model: z.nullable(z.string()), tokens: z.int() })),
    /** Sessions of an older version, which are being counted. */
    waiting: z.int(),
  }),
})
