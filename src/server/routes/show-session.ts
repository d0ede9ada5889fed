import type * as z from 'zod/mini'
import type { SessionSummary } from '../../projections/summary.ts'
import type { sessionDetailsSchema, sessionSchema } from '../../protocol/api/replies.ts'
import type { SessionDetails } from '../../sessions/view/read-session.ts'
import type { DeepReadonly } from '../deep-readonly.ts'

/** A session in the format of the API. */
export type ShownSession = DeepReadonly<z.output<typeof sessionSchema>>

/** A session in a list. */
export function showSession(summary: SessionSummary): ShownSession {
  // Field by field, so that internal fields are not sent.
  const { session: id, agent, cwd, title, status, archived, deleted, agentSession, model } = summary
  const { cost, tokens, interactions, running, ended, pending, branch, handedOver, awaitsPlace } = summary
  const { createdAt, updatedAt, seq } = summary
  const about = { id, agent, cwd, title, status, archived, deleted, agentSession, model }
  const doing = { running, awaitsPlace, ended, pending: pending.length }
  const done = { cost, tokens, interactions, ...doing, branch, handedOver }
  return { ...about, ...done, createdAt, updatedAt, seq }
}

/** One session. */
export function showDetails(details: SessionDetails): DeepReadonly<z.output<typeof sessionDetailsSchema>> {
  const { queue, trouble, options } = details
  return {
    ...showSession(details),
    options,
    queue: queue.map(({ prompt, parts, queued, held }) => ({ prompt, parts, queued, held })),
    trouble: trouble && { code: trouble.code, message: trouble.message, since: trouble.since },
  }
}
