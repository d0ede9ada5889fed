import type { SessionFacts, SessionState } from 'dragoman/client'
import type { ListedAgent } from '../agents/use-agents.ts'

/** Why the composer is disabled, and how to enable it. */
export interface Closed {
  readonly sentence: string
  readonly remedy: 'restore' | 'undelete' | null
}

/** Why the composer is disabled; null when it is not. */
export function closedBecause(
  phase: SessionState['phase'],
  facts: Pick<SessionFacts, 'archived' | 'deleted'> | null,
): Closed | null {
  if (facts?.deleted === true || (phase === 'gone' && facts !== null))
    return { sentence: 'This session was deleted.', remedy: 'undelete' }
  if (phase === 'gone')
    return { sentence: 'This session doesn’t exist. It may have been deleted.', remedy: null }
  if (facts?.archived === true)
    return { sentence: 'This session is archived. Restore it to continue.', remedy: 'restore' }
  return null
}

/** The facts about an agent that decide whether it can run. */
export type AgentReadiness = Pick<ListedAgent, 'title' | 'status' | 'lacks' | 'advice'>

const troubles: Readonly<Record<Exclude<AgentReadiness['status'], 'ready'>, string>> = {
  'needs-login': 'is not logged in.',
  missing: 'is not installed on this machine.',
  broken: 'is installed but can’t run.',
}

const lacking = { key: 'has no API key.', token: 'has no valid token.' }

/** What to do before the agent can run; null when it can. */
export function agentAdvice(agent: AgentReadiness | null): string | null {
  if (agent === null || agent.status === 'ready') return null
  const { status, lacks } = agent
  const trouble = status === 'needs-login' && lacks !== undefined ? lacking[lacks] : troubles[status]
  return [`${agent.title} ${trouble}`, agent.advice].filter(Boolean).join(' ')
}

/** The result of stopping, by the entry that ended the interaction. */
export function howItStopped(ended: { readonly outcome: string; readonly reason: string | null }): string {
  if (ended.outcome === 'interrupted') return 'Stopped.'
  if (ended.outcome === 'failed')
    return `The agent failed before it could be stopped: ${ended.reason ?? 'no reason given'}`
  return 'The agent finished before it could be stopped.'
}
