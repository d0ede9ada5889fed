import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import styles from './agent-choice.module.css'
import { canBeChosen, inOrder, readinessOf, versionWords } from './readiness.ts'
import { useAgents, type ListedAgent } from './use-agents.ts'

/** The agents to choose from: each with whether it can run, and what to do if not. */
export function AgentChoice({
  legend,
  chosen,
  onChoose,
  except = null,
}: {
  readonly legend: string
  /** Null: the default one. */
  readonly chosen: string | null
  readonly onChoose: (agent: string) => void
  /** An agent that is not offered. */
  readonly except?: string | null
}): ReactElement {
  const { agents, problem, again } = useAgents()
  return (
    <fieldset className={styles['choice']}>
      <legend className={styles['legend']}>{legend}</legend>
      {agents === null && problem === null && <Loading what="agents" />}
      {problem !== null && <NotRead what="agents" problem={problem} onAgain={again} />}
      {inOrder(agents ?? [])
        .filter(({ name }) => name !== except)
        .map(agent => (
          <Choice
            key={agent.name}
            agent={agent}
            isChosen={chosen === null ? agent.default : chosen === agent.name}
            onChoose={onChoose}
          />
        ))}
    </fieldset>
  )
}

function Choice({
  agent,
  isChosen,
  onChoose,
}: {
  readonly agent: ListedAgent
  readonly isChosen: boolean
  readonly onChoose: (agent: string) => void
}): ReactElement {
  const { name, title, advice } = agent
  const { word, tone } = readinessOf(agent)
  return (
    <label className={classNames(styles['agent'], !canBeChosen(agent) && styles['absent'])}>
      <input type="radio" name="agent" value={name} checked={isChosen} onChange={() => onChoose(name)} />
      <span className={styles['words']}>
        <span className={styles['name']}>
          {title}
          <Badge tone={tone}>{word}</Badge>
        </span>
        {agent.version !== null && <span className={styles['more']}>{versionWords(agent)}</span>}
        {advice !== null && (
          <span className={classNames(styles['more'], styles['advice'])}>
            <InertText text={advice} />
          </span>
        )}
      </span>
    </label>
  )
}
