import type * as z from 'zod/mini'
import type { SessionFilter } from '../../catalogue/list-sessions.ts'
import type { Charge } from '../../catalogue/charges.ts'
import type { PriceBook } from '../../prices/price-book.ts'
import type { OpenPriceBook } from '../../prices/open-price-book.ts'
import { costsOf } from '../../prices/price-usage.ts'
import type { SessionSummary } from '../../projections/summary.ts'
import type { sessionDetailsSchema, sessionSchema } from '../../protocol/api/replies.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { SessionDetails } from '../../sessions/view/read-session.ts'
import type { DeepReadonly } from '../deep-readonly.ts'

/** A session in the format of the API. */
export type ShownSession = DeepReadonly<z.output<typeof sessionSchema>>

/** Knows which sessions an agent works on in its own terminal. */
type Terminals = Pick<Sessions, 'isInTerminal'>

/** A session in a list. */
export function showSession(summary: SessionSummary, sessions: Terminals): ShownSession {
  // Field by field, so that internal fields are not sent.
  const { session: id, agent, cwd, title, status, archived, deleted, pinned } = summary
  const { agentSession, model, gitBranch } = summary
  const { cost, tokens, interactions, running, ended, pending, branch, handedOver, awaitsPlace } = summary
  const { createdAt, updatedAt, seq } = summary
  const about = { id, agent, cwd, title, status, archived, deleted, pinned }
  const doing = { running, awaitsPlace, ended, pending: pending.length }
  const done = { agentSession, model, gitBranch, cost, tokens, interactions, ...doing, branch, handedOver }
  return {
    ...about,
    ...done,
    createdAt,
    updatedAt,
    seq,
    inTerminal: sessions.isInTerminal(id),
  }
}

/** What is needed to list sessions with their costs. */
interface ListParts {
  readonly sessions: Pick<Sessions, 'list' | 'charges' | 'isInTerminal'>
  readonly openPrices: OpenPriceBook
}

/** Sessions in a list, with what tokens without a reported cost would cost. */
export async function showSessions(
  { sessions, openPrices }: ListParts,
  filter: SessionFilter,
): Promise<{ readonly sessions: readonly ShownSession[]; readonly next: string | null }> {
  const { sessions: found, next } = await sessions.list(filter)
  const ids = found.map(({ session }) => session)
  // The price table is loaded only when there is something to estimate.
  const charges = await sessions.charges(ids, async models => (await openPrices()).cutsOf(models))
  const book = charges.size === 0 ? null : await openPrices()
  return {
    sessions: found.map(each => ({ ...showSession(each, sessions), ...estimateOf(book, charges, each) })),
    next,
  }
}

/** Absent where there is nothing to estimate, or no price is known. */
function estimateOf(
  book: PriceBook | null,
  charges: ReadonlyMap<SessionId, readonly Charge[]>,
  { session }: SessionSummary,
): { readonly estimatedCost?: number } {
  const { estimated } = book
    ? costsOf({ cost: null, charges: charges.get(session) ?? null }, book)
    : { estimated: null }
  return estimated === null ? {} : { estimatedCost: estimated }
}

/** One session. */
export function showDetails(
  details: SessionDetails,
  sessions: Terminals,
): DeepReadonly<z.output<typeof sessionDetailsSchema>> {
  const { queue, trouble, options } = details
  return {
    ...showSession(details, sessions),
    options,
    queue: queue.map(({ prompt, parts, queued, held }) => ({ prompt, parts, queued, held })),
    trouble: trouble && { code: trouble.code, message: trouble.message, since: trouble.since },
  }
}
