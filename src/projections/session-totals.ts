import type { ThreadChunk } from '../protocol/chunk.ts'
import type { SessionTotals, Tokens } from '../protocol/data-parts.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import { isObject, type Json } from '../protocol/json.ts'
import { readTokens } from './spent.ts'

/** The totals that an agent last reported, and its own session that they belong to; null before its name is known. */
export interface ReportedTotals extends SessionTotals {
  readonly agentSession: string | null
}

/**
 * The last totals after an event. Agents report them at the end of an answer, in `sessionTotals` of its metadata. A session
 * that the agent has just begun has cost nothing yet: its first answer may be killed before it reports a sum.
 */
export function totalsAfter(
  before: ReportedTotals | null,
  event: Event,
  agentSession: string | null,
): ReportedTotals | null {
  if (event.type === 'agent-connected') return totalsAtConnection(before, event)
  const named = before?.agentSession === null ? { ...before, agentSession } : before
  const reported = chunksOf(event)
    .map(totalsIn)
    .findLast(totals => totals !== null)
  if (reported === undefined || agentSession === null) return named
  const earlier = named?.agentSession === agentSession ? named.earlier : undefined
  return { ...reported, agentSession, ...(earlier !== undefined && { earlier }) }
}

/** An agent that is killed forgets what it counted since its connection began, so these totals are kept for a while. */
const mostEarlier = 4

function totalsAtConnection(
  before: ReportedTotals | null,
  { resumed, forked, readFrom }: EventOf<'agent-connected'>,
): ReportedTotals | null {
  if (resumed === null && forked === undefined && readFrom === undefined) return nothingYet
  if (before === null || before.agentSession !== resumed) return before
  const { tokens, cost, earlier = [] } = before
  return { ...before, earlier: [{ tokens, cost }, ...earlier].slice(0, mostEarlier) }
}

const nothingYet: ReportedTotals = { agentSession: null, tokens: null, cost: 0 }

function totalsIn({ thread, chunk }: ThreadChunk): SessionTotals | null {
  if (thread !== null || chunk.type !== 'finish') return null
  const totals: Json | undefined = chunk.messageMetadata?.['sessionTotals']
  if (!isObject(totals)) return null
  const tokens: Tokens | null = isObject(totals['tokens']) ? readTokens(totals['tokens']) : null
  const cost = typeof totals['cost'] === 'number' ? totals['cost'] : null
  return { tokens, cost }
}
