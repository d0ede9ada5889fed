import { memo, useState, type KeyboardEvent, type ReactElement } from 'react'
import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  GitBranch,
  Pencil,
  Pin,
  PinOff,
  Trash2,
  Undo2,
} from 'lucide-react'
import { useClient } from 'dragoman/react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { inFull } from '../ui/moments.ts'
import { AgentMark } from '../agents/agent-mark.tsx'
import { projectName } from '../session-summary/folders.ts'
import { RenameField } from './rename-field.tsx'
import {
  archiveSession,
  bringBackSession,
  deleteSession,
  pinSession,
  renameSession,
} from './session-actions.ts'
import { nameOf, type SessionFace } from '../session-summary/session-face.ts'
import styles from './session-row.module.css'
import type { Standing } from '../session-summary/session-status.ts'
import { StatusDot } from '../session-summary/status-dot.tsx'
import { useStanding } from '../session-summary/use-standing.ts'

/** A session in the sidebar. */
export const SessionRow = memo(function SessionRow({
  face,
  agent,
  age,
  isHere,
  isStop,
  hasProject,
}: {
  readonly face: SessionFace
  /** What its agent is called. */
  readonly agent: string
  /** How long ago it started. */
  readonly age: string
  readonly isHere: boolean
  /** Whether the Tab key stops here. */
  readonly isStop: boolean
  /** Whether it shows its project; in the group of a project it need not. */
  readonly hasProject: boolean
}): ReactElement {
  const client = useClient()
  const [isRenamed, rename] = useState(false)
  const done = (name: string | null) => {
    rename(false)
    if (name !== null) renameSession(client, face.id, name)
  }
  if (isRenamed) return <Renaming face={face} onDone={done} />
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'F2' || face.deleted) return
    // Here it applies to the focused session, not to the open one.
    event.preventDefault()
    rename(true)
  }
  return (
    <div className={classNames(styles['row'], isHere && styles['here'])} data-listed={face.id}>
      <PlaceLink
        to={{ page: 'session', session: face.id }}
        className={styles['link']}
        aria-current={isHere ? 'page' : undefined}
        data-session={face.id}
        data-stop={face.id}
        tabIndex={isStop ? 0 : -1}
        title={inertString(`${nameOf(face)}\n${face.cwd}\nStarted ${inFull(face.createdAt)}`)}
        onKeyDown={press}
      >
        <span className={styles['mark']}>
          <AgentMark agent={face.agent} title={agent} />
          {!isCalm(face.standing) && <StatusDot standing={face.standing} />}
        </span>
        <Words face={face} agent={agent} age={age} hasProject={hasProject} />
      </PlaceLink>
      <span className={styles['menu']}>
        <Menu
          label="Session menu"
          icon={<Ellipsis size={16} aria-hidden />}
          tabIndex={-1}
          items={itemsOf(client, face, () => rename(true))}
        />
      </span>
    </div>
  )
})

const Renaming = ({
  face,
  onDone,
}: {
  readonly face: SessionFace
  readonly onDone: (name: string | null) => void
}): ReactElement => (
  <div className={styles['row']} data-listed={face.id}>
    <RenameField name={face.title ?? ''} onDone={onDone} />
  </div>
)

/** The title and the age; below them the status, the project, the branch and the cost. */
function Words({
  face,
  agent,
  age,
  hasProject,
}: {
  readonly face: SessionFace
  readonly agent: string
  readonly age: string
  readonly hasProject: boolean
}): ReactElement {
  const { standing, gitBranch, cost } = face
  const { words, isDoubtful } = useStanding(standing)
  const place = hasProject ? projectName(face.cwd) : gitBranch === null ? agent : null
  return (
    <span className={styles['words']}>
      <span className={styles['line']}>
        <span className={styles['title']}>
          <InertText text={nameOf(face)} />
        </span>
        <span className={classNames(styles['end'], styles['age'])}>{age}</span>
      </span>
      <span className={classNames(styles['line'], styles['about'])}>
        {face.inTerminal ? (
          <span className={styles['running']}>In its terminal</span>
        ) : (
          <span className={isCalm(standing) ? 'unseen' : isDoubtful ? undefined : styles[standing]}>
            {words}
          </span>
        )}
        {(face.deleted || face.archived) && (
          <span className={styles['away']}>{face.deleted ? 'Deleted' : 'Archived'}</span>
        )}
        {face.isFork && <span>Branch</span>}
        {place !== null && (
          <span className={styles['place']}>
            <InertText text={place} />
          </span>
        )}
        {gitBranch !== null && (
          <span className={styles['branch']}>
            <GitBranch size={11} role="img" aria-label="Git branch" />
            <span>
              <InertText text={gitBranch} />
            </span>
          </span>
        )}
        {cost !== null && <span className={styles['end']}>{cost}</span>}
      </span>
    </span>
  )
}

/** Says nothing new: it is for screen readers only. */
const isCalm = (standing: Standing) => standing === 'done' || standing === 'new'

function itemsOf(
  client: Parameters<typeof archiveSession>[0],
  face: SessionFace,
  rename: () => void,
): readonly MenuItem[] {
  if (face.deleted)
    return [
      {
        label: 'Restore',
        icon: <Undo2 size={16} aria-hidden />,
        onChoose: () => bringBackSession(client, face),
      },
    ]
  const Shelf = face.archived ? ArchiveRestore : Archive
  const Tack = face.pinned ? PinOff : Pin
  return [
    { label: 'Rename', icon: <Pencil size={16} aria-hidden />, onChoose: rename },
    {
      label: face.pinned ? 'Unpin' : 'Pin to the top',
      icon: <Tack size={16} aria-hidden />,
      onChoose: () => pinSession(client, face.id, !face.pinned),
    },
    {
      label: face.archived ? 'Unarchive' : 'Archive',
      icon: <Shelf size={16} aria-hidden />,
      onChoose: () => archiveSession(client, face, !face.archived),
    },
    {
      label: 'Delete',
      icon: <Trash2 size={16} aria-hidden />,
      danger: true,
      onChoose: () => deleteSession(client, face),
    },
  ]
}
