import type { ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from '../ui/amounts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { duration } from '../ui/moments.ts'
import styles from './debug-facts.module.css'

/** Both names of a session, and how it is connected. */
export function DebugFacts({ session }: { readonly session: Session }): ReactElement {
  const { agentSession, phase, problem, connection, seq, lag } = useReadable(session.debug)
  const transport = connection.transport === null ? '' : ` over ${connection.transport}`
  const again = connection.reconnects === 0 ? '' : `, reconnected ${counted(connection.reconnects, 'time')}`
  return (
    <details className={styles['facts']}>
      <summary>
        {`${phase} · ${connection.state}${transport} · entry ${seq}`}
        {lag !== null && ` · ${duration(Math.max(0, lag))} behind`}
      </summary>
      <dl>
        <Name term="Session ID" id={session.id} />
        <Name term="Agent session ID" id={agentSession} />
        <Fact term="Phase" value={phase} />
        <Fact term="Connection" value={`${connection.state}${transport}${again}`} />
        <Fact term="Last entry" value={String(seq)} />
        <Fact term="Lag" value={lag === null ? 'unknown: no live entries yet' : `${lag} ms`} />
        {(problem ?? connection.problem) !== null && (
          <Fact term="Problem" value={problem ?? connection.problem ?? ''} />
        )}
      </dl>
    </details>
  )
}

const Fact = ({ term, value }: { readonly term: string; readonly value: string }) => (
  <div>
    <dt>{term}</dt>
    <dd>
      <InertText text={value} />
    </dd>
  </div>
)

const Name = ({ term, id }: { readonly term: string; readonly id: string | null }) => (
  <div>
    <dt>{term}</dt>
    <dd>
      {id === null ? 'none yet' : <InertText text={id} />}
      {id !== null && <CopyButton text={id} label={`Copy ${term}`} />}
    </dd>
  </div>
)
