import type { ReactElement } from 'react'
import { GitBranch } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { AgentMark } from '../agents/agent-mark.tsx'
import { projectName } from '../session-summary/folders.ts'
import { openNewSession } from '../sessions/new-session-door.ts'
import { nameOf, type SessionFace } from '../session-summary/session-face.ts'
import { StatusBadge } from '../session-summary/status-dot.tsx'
import { agentTitle, useAgents } from '../agents/use-agents.ts'
import { Button } from '../ui/button.tsx'
import { ago } from '../ui/moments.ts'
import { useMinute } from '../ui/use-minute.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { DemoButton } from './demo-button.tsx'
import styles from './welcome.module.css'

const most = 8

/** For returning users: sessions that wait for approval, run, or were used last. */
export function Recent({ faces }: { readonly faces: readonly SessionFace[] }): ReactElement {
  const agents = useAgents()
  const now = useMinute()
  const shown = faces.toSorted((one, other) => rank(one) - rank(other)).slice(0, most)
  return (
    <section className={styles['recent']}>
      <h1 className={styles['name']}>Welcome back</h1>
      <div className={styles['actions']}>
        <Button kind="primary" onClick={openNewSession}>
          Start a session
        </Button>
        <DemoButton />
      </div>
      <h2 className={styles['heading']}>Recent sessions</h2>
      <ul className={styles['cards']}>
        {shown.map(face => (
          <li key={face.id}>
            <RecentSession face={face} agent={agentTitle(agents, face.agent)} now={now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const RecentSession = ({
  face,
  agent,
  now,
}: {
  readonly face: SessionFace
  readonly agent: string
  readonly now: number
}): ReactElement => (
  <PlaceLink to={{ page: 'session', session: face.id }} className={styles['card']}>
    <AgentMark agent={face.agent} title={agent} />
    <span className={styles['title']}>
      <InertText text={nameOf(face)} />
    </span>
    {saysSomething(face) && <StatusBadge standing={face.standing} />}
    <span className={styles['about']}>
      <span>
        <InertText text={projectName(face.cwd)} />
      </span>
      {face.gitBranch !== null && (
        <span className={styles['branch']}>
          <GitBranch size={11} role="img" aria-label="Git branch" />
          <span>
            <InertText text={face.gitBranch} />
          </span>
        </span>
      )}
      {face.cost !== null && <span>{face.cost}</span>}
      <span>{ago(face.createdAt, now)}</span>
    </span>
  </PlaceLink>
)

const saysSomething = ({ standing }: SessionFace) => standing !== 'done' && standing !== 'new'

const rank = ({ standing }: SessionFace) => (standing === 'waiting' ? 0 : standing === 'running' ? 1 : 2)
