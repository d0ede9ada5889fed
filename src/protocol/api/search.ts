import * as z from 'zod/mini'
import { idSchema } from '../command.ts'
import { cursor, limit, name } from './fields.ts'

/** What a search takes. The filters may also be part of `q`. */
export const searchQuery = z.strictObject({
  /** Words, `"exact text"`, `/pattern/` and filters. */
  q: z.optional(z.string().check(z.maxLength(1000, 'is longer than 1000 characters; use a shorter one'))),
  agent: z.optional(name),
  /** A part of the session's folder. */
  folder: z.optional(name),
  /** The name of a tool, or its kind: `run`, `edit`, `read` … */
  tool: z.optional(name),
  /** A part of the path of a file that a call is about. */
  file: z.optional(name),
  /** Days in UTC, times, or milliseconds; `after` is included, `before` is not. */
  before: z.optional(name),
  after: z.optional(name),
  status: z.optional(name),
  session: z.optional(idSchema),
  cursor: z.optional(cursor),
  limit: z.optional(limit(100)),
})

/** Texts that were found, the newest first. */
export const searchReply = z.object({
  hits: z.array(
    z.object({
      session: z.string(),
      /** The entry that completed the text. */
      seq: z.int(),
      /** The message to open; null for a title. */
      messageId: z.nullable(z.string()),
      /** The part of the message, as in context changes; null for a title. */
      part: z.nullable(z.string()),
      kind: z.enum(['prompt', 'answer', 'thinking', 'tool-input', 'tool-output', 'title']),
      at: z.int(),
      /** A piece of the text in one line. */
      snippet: z.string(),
      /** What was found in the snippet: from where to where, in UTF-16 units. */
      ranges: z.array(z.tuple([z.int(), z.int()])),
    }),
  ),
  /** The `cursor` of the next page; null when there is none. A page may have few hits although there are more. */
  next: z.nullable(z.string()),
  /** How many entries are not indexed yet. */
  behind: z.int(),
})
