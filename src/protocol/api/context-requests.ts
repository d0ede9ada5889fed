import * as z from 'zod/mini'
import { changesSchema, idSchema, rollbackSchema, saysWhat } from '../command.ts'
import { name, cursor, wholeNumber, seq, limit, inInteraction, inSession, reading } from './fields.ts'

const requestNumber = 'must be a request number, 1 or more'

/** What the calls about contexts, manipulations and interactions take. */
export const contextRequests = {
  exportInteraction: { params: inInteraction, query: z.strictObject(reading) },
  getContext: {
    params: inSession,
    query: z.strictObject({
      ...reading,
      step: z.optional(z.pipe(wholeNumber(requestNumber), z.number().check(z.gte(1, requestNumber)))),
      part: z.optional(name),
      cursor: z.optional(cursor),
      limit: z.optional(limit(1000)),
    }),
  },
  listManipulations: {
    params: inSession,
    query: z.strictObject({
      ...reading,
      kind: z.optional(
        z.enum(['applied', 'rejected', 'rolled-back'], 'must be applied, rejected or rolled-back'),
      ),
      actor: z.optional(
        z.enum(['tool', 'policy', 'person', 'model'], 'must be tool, policy, person or model'),
      ),
      tool: z.optional(name),
      owner: z.optional(name),
      interaction: z.optional(idSchema),
      message: z.optional(name),
      part: z.optional(name),
      before: z.optional(seq),
      limit: z.optional(limit(1000)),
    }),
  },
  manipulate: {
    params: inSession,
    body: z.strictObject({ changes: changesSchema, by: z.optional(name) }),
  },
  rollBack: {
    params: inSession,
    body: z
      .strictObject(rollbackSchema)
      .check(z.refine(saysWhat, 'needs one of "manipulations", "tool", "interaction" and "after"')),
  },
  merge: {
    params: inSession,
    body: z.strictObject({
      from: idSchema,
      interactions: z.optional(
        z
          .array(idSchema)
          .check(z.minLength(1, 'must not be empty'), z.maxLength(1000, 'has too many interactions')),
      ),
    }),
  },
} as const
