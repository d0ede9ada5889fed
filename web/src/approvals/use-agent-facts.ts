import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import type { CallPlace } from 'dragoman/client/work-log'
import { useAgents, type Agents } from '../agents/use-agents.ts'
import type { DecisionProps } from './decision.tsx'

/** The agent of a session, and its folder. */
export function useAgentFacts(session: Session): {
  readonly place: CallPlace
  readonly agent: DecisionProps['agent']
} {
  const facts = useReadable(session.facts)
  return {
    place: { agent: facts?.agent ?? null, cwd: facts?.cwd ?? null },
    agent: askerOf(useAgents().agents, facts?.agent),
  }
}

/** The agent that sent the request; null while unknown. */
export function askerOf(agents: Agents['agents'], name: string | undefined): DecisionProps['agent'] {
  const found = agents?.find(agent => agent.name === name)
  if (found === undefined) return null
  const { title, capabilities } = found
  return {
    title,
    changedInput: capabilities['changedInput'] === true,
    denialReasons: capabilities['denialReasons'] === true,
  }
}
