import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { inOrder, readinessOf, versionWords } from '../agents/readiness.ts'
import { demoAgent, useAgents, type ListedAgent } from '../agents/use-agents.ts'
import { Badge } from '../ui/badge.tsx'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import styles from './welcome.module.css'

/** The agents of this machine: those that can be used, and what to do for the others. */
export function AgentsHere(): ReactElement {
  const { agents, problem, again } = useAgents()
  const all = inOrder(agents ?? [])
  const present = all.filter(({ status }) => status !== 'missing')
  const missing = all.filter(({ status }) => status === 'missing')
  return (
    <section>
      <h2 className={styles['heading']}>Agents on this machine</h2>
      {agents === null && problem === null && <Loading what="agents" />}
      {problem !== null && <NotRead what="agents" problem={problem} onAgain={again} />}
      <Agents agents={present} />
      {missing.length > 0 && (
        <details className={styles['more']}>
          <summary>{`${missing.length} more you can install`}</summary>
          <Agents agents={missing} />
        </details>
      )}
    </section>
  )
}

const Agents = ({ agents }: { readonly agents: readonly ListedAgent[] }): ReactElement => (
  <ul className={styles['agents']}>
    {agents.map(agent => {
      const { word, tone } = readinessOf(agent)
      return (
        <li key={agent.name} className={styles['agent']}>
          <span className={styles['agentName']}>{agent.title}</span>
          <Badge tone={tone}>{word}</Badge>
          {agent.default && <Badge>Default</Badge>}
          {agent.name !== demoAgent && (
            <span className={styles['version']}>
              <InertText text={versionWords(agent)} />
            </span>
          )}
          {agent.advice !== null && (
            <p className={styles['advice']}>
              <InertText text={agent.advice} />
            </p>
          )}
        </li>
      )
    })}
  </ul>
)
