import { useMemo, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { Empty, Loading } from '../ui/empty.tsx'
import styles from './empty-session.module.css'
import { derive } from 'dragoman/client/readable'

interface EmptySessionProps {
  readonly session: Session
  /** Whether it is empty only because not everything is loaded yet. */
  readonly isReading: boolean
}

/** Shown in place of an empty conversation, or when it can't be shown. It already has the role of the log. */
export function EmptySession({ session, isReading }: EmptySessionProps): ReactElement {
  return (
    <div className={styles['empty']} role="log" aria-label="Transcript" aria-live="off">
      <Words session={session} isReading={isReading} />
    </div>
  )
}

function Words({ session, isReading }: EmptySessionProps): ReactElement {
  const { phase, problem } = useReadable(useMemo(() => derivePhase(session), [session]))
  const facts = useReadable(session.facts)
  const agents = useKnownAgents()
  switch (phase) {
    case 'closed':
    case 'loading':
      return problem === null ? (
        <Loading what="the conversation" />
      ) : (
        <Empty title="Couldn’t load the conversation yet">
          <p>{problem}</p>
        </Empty>
      )
    case 'gone':
      return (
        <Empty title="This session was deleted">
          <p>{problem ?? 'It was deleted, or it is not on this server.'}</p>
        </Empty>
      )
    case 'failed':
      return (
        <Empty title="Couldn’t open this session">
          <p>{problem}</p>
        </Empty>
      )
    case 'catching-up':
    case 'live':
      return isReading ? (
        <Loading what="the conversation" />
      ) : (
        <Empty title="No messages yet">
          <p>
            {facts !== null && (
              <>
                <InertText text={agentTitle(agents, facts.agent)} />
                {' will work in '}
                <code>
                  <InertText text={facts.cwd} />
                </code>
                .
              </>
            )}
          </p>
        </Empty>
      )
  }
}

/** The same object while nothing changed. */
function derivePhase(session: Session) {
  const phase = derive([session.state] as const, state => state.phase)
  const problem = derive([session.state] as const, state => state.problem)
  return derive([phase, problem] as const, (one, other) => ({ phase: one, problem: other }))
}
