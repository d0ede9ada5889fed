import { useRef, useState, type ReactElement, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { PanelRight, Pencil } from 'lucide-react'
import type { Session, SessionFacts } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { folderName } from '../session-summary/folders.ts'
import { RenameField } from '../sessions/rename-field.tsx'
import { renameSession } from '../sessions/session-actions.ts'
import { nameOf } from '../session-summary/session-face.ts'
import { standingOf } from '../session-summary/session-status.ts'
import { StatusBadge } from '../session-summary/status-dot.tsx'
import { agentTitle, useAgents } from '../agents/use-agents.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { usePart } from '../ui/use-part.ts'
import type { UsedPanel } from './panel-choice.ts'
import { SessionDetails } from './session-details.tsx'
import styles from './session-header.module.css'
import { SessionMenu } from './session-menu.tsx'
import { usageWords } from './usage-words.ts'

/** A session's title, status and actions. */
export function SessionHeader({
  session,
  facts,
  panel,
}: {
  readonly session: Session
  readonly facts: SessionFacts
  readonly panel: UsedPanel
}): ReactElement {
  const [isRenamed, rename] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const end = (byKey: boolean) => {
    flushSync(() => rename(false))
    // The focused element was removed.
    if (byKey) pencil.current?.focus()
  }
  return (
    <header className={styles['header']}>
      <div className={styles['words']}>
        {isRenamed ? (
          <Renaming facts={facts} onDone={end} />
        ) : (
          <Title facts={facts} pencil={pencil} onRename={() => rename(true)} />
        )}
        <Facts session={session} facts={facts} />
      </div>
      <div className={styles['actions']}>
        <SessionDetails facts={facts} />
        <IconButton
          label="Work log, context and inspector"
          aria-expanded={panel.isOpen}
          className={panel.isOpen ? styles['pressed'] : undefined}
          onClick={() => panel.open(!panel.isOpen)}
        >
          <PanelRight size={18} aria-hidden />
        </IconButton>
        <SessionMenu session={session} facts={facts} onRename={() => rename(true)} />
      </div>
    </header>
  )
}

function Renaming({
  facts,
  onDone,
}: {
  readonly facts: SessionFacts
  readonly onDone: (byKey: boolean) => void
}): ReactElement {
  const client = useClient()
  const done = (name: string | null, byKey: boolean) => {
    onDone(byKey)
    if (name !== null) renameSession(client, facts.id, name)
  }
  return (
    <div className={styles['renaming']}>
      <RenameField name={facts.title ?? ''} onDone={done} />
    </div>
  )
}

const Title = ({
  facts,
  pencil,
  onRename,
}: {
  readonly facts: SessionFacts
  readonly pencil: RefObject<HTMLButtonElement | null>
  readonly onRename: () => void
}): ReactElement => (
  <div className={styles['title']}>
    <h1 title={inertString(nameOf(facts))}>
      <InertText text={nameOf(facts)} />
    </h1>
    <IconButton ref={pencil} label="Rename" className={styles['pencil']} onClick={onRename}>
      <Pencil size={14} aria-hidden />
    </IconButton>
  </div>
)

function Facts({
  session,
  facts,
}: {
  readonly session: Session
  readonly facts: SessionFacts
}): ReactElement {
  const title = agentTitle(useAgents(), facts.agent)
  const { cost, tokens } = usageWords(facts)
  return (
    <div className={styles['facts']}>
      <Standing session={session} facts={facts} />
      {facts.archived && (
        <span className={styles['archived']}>
          <Badge>Archived</Badge>
        </span>
      )}
      <span>{title}</span>
      <span className={styles['roomy']} title={inertString(facts.cwd)}>
        <InertText text={folderName(facts.cwd)} />
      </span>
      {facts.model !== null && (
        <span className={styles['roomy']}>
          <InertText text={facts.model} />
        </span>
      )}
      {cost !== null && <span className={styles['usage']}>{cost}</span>}
      {tokens !== null && <span className={styles['roomy']}>{tokens}</span>}
    </div>
  )
}

function Standing({
  session,
  facts: { interactions, awaitsPlace },
}: {
  readonly session: Session
  readonly facts: SessionFacts
}): ReactElement {
  const standing = usePart(session.status, ({ status, ended, pending, running }) =>
    standingOf({
      status,
      awaitsPlace,
      ended,
      pending: pending.length,
      interactions: interactions + Number(running !== null),
    }),
  )
  return <StatusBadge standing={standing} />
}
