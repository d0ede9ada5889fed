import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { AgentMark } from '../agents/agent-mark.tsx'
import { inOrder, readinessOf, versionWords } from '../agents/readiness.ts'
import { useAgents, type ListedAgent } from '../agents/use-agents.ts'
import { Badge } from '../ui/badge.tsx'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import styles from './welcome.module.css'

/** The coding agents of this machine and what they need, then those that can be installed, then APIs of models. */
export function AgentsHere(): ReactElement {
  const { agents, problem, again } = useAgents()
  const { here, installable, models } = agentGroups(agents ?? [])
  return (
    <section>
      <h2 className={styles['heading']}>Agents on this machine</h2>
      {agents === null && problem === null && <Loading what="agents" />}
      {problem !== null && <NotRead what="agents" problem={problem} onAgain={again} />}
      {agents !== null && here.length === 0 && (
        <p className={styles['note']}>
          No coding agent is installed yet. Install one, or set a key for a model API.
        </p>
      )}
      <Agents agents={here} />
      {installable.length > 0 && (
        <details className={styles['more']} open={here.length === 0}>
          <summary>{`${installable.length} ${here.length === 0 ? 'agents' : 'more'} you can install`}</summary>
          <Agents agents={installable} />
        </details>
      )}
      {models.length > 0 && (
        <details className={styles['more']} open={models.some(({ status }) => status === 'ready')}>
          <summary>Model APIs</summary>
          <Agents agents={models} />
        </details>
      )}
    </section>
  )
}

/** Coding agents first, because most people have one. The demo has its own button. */
export function agentGroups(agents: readonly ListedAgent[]) {
  const all = inOrder(agents)
  const coding = all.filter(({ kind = 'agent' }) => kind === 'agent')
  return {
    here: coding.filter(({ status }) => status !== 'missing'),
    installable: coding.filter(({ status }) => status === 'missing'),
    models: all.filter(({ kind }) => kind === 'model'),
  }
}

const Agents = ({ agents }: { readonly agents: readonly ListedAgent[] }): ReactElement | null =>
  agents.length === 0 ? null : (
    <ul className={styles['agents']}>
      {agents.map(agent => (
        <Agent key={agent.name} agent={agent} />
      ))}
    </ul>
  )

/** An agent on one line: its name, whether it can run, and what it needs. */
function Agent({ agent }: { readonly agent: ListedAgent }): ReactElement {
  const { word, tone } = readinessOf(agent)
  const version = versionWords(agent)
  return (
    <li className={styles['agent']}>
      <AgentMark agent={agent.name} title={agent.title} />
      <span className={styles['agentName']} aria-hidden>
        {agent.title}
      </span>
      {agent.status !== 'missing' && <Badge tone={tone}>{word}</Badge>}
      {agent.default && <Badge>Default</Badge>}
      <span className={styles['need']} title={agent.advice ?? undefined}>
        <InertText text={agent.advice ?? version} />
      </span>
    </li>
  )
}
