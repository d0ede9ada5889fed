import { memo, useState, type KeyboardEvent, type ReactElement } from 'react'
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2, Undo2 } from 'lucide-react'
import { useClient } from 'dragoman/react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { folderName } from '../session-summary/folders.ts'
import { RenameField } from './rename-field.tsx'
import { archiveSession, bringBackSession, deleteSession, renameSession } from './session-actions.ts'
import { nameOf, type SessionFace } from '../session-summary/session-face.ts'
import styles from './session-row.module.css'
import type { Standing } from '../session-summary/session-status.ts'
import { StatusDot } from '../session-summary/status-dot.tsx'
import { useStanding } from '../session-summary/use-standing.ts'

/** A session in the sidebar. */
export const SessionRow = memo(function SessionRow({
  face,
  agent,
  isHere,
}: {
  readonly face: SessionFace
  /** What its agent is called. */
  readonly agent: string
  readonly isHere: boolean
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
        onKeyDown={press}
      >
        <Words face={face} agent={agent} />
      </PlaceLink>
      <span className={styles['menu']}>
        <Menu
          label="Session menu"
          icon={<Ellipsis size={16} aria-hidden />}
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

function Words({ face, agent }: { readonly face: SessionFace; readonly agent: string }): ReactElement {
  const { standing } = face
  const { words, isDoubtful } = useStanding(standing)
  return (
    <>
      <StatusDot standing={standing} />
      <span className={styles['words']}>
        <span className={styles['title']}>
          <InertText text={nameOf(face)} />
        </span>
        <span className={styles['about']} title={inertString(face.cwd)}>
          <span className={isCalm(standing) ? 'unseen' : isDoubtful ? undefined : styles[standing]}>
            {words}
            {isCalm(standing) ? ', ' : ' · '}
          </span>
          {(face.deleted || face.archived) && (
            <span className={styles['away']}>{face.deleted ? 'Deleted · ' : 'Archived · '}</span>
          )}
          <InertText text={`${face.isFork ? 'Branch · ' : ''}${agent} · ${folderName(face.cwd)}`} />
        </span>
      </span>
    </>
  )
}

/** Shown for screen readers only. */
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
  return [
    { label: 'Rename', icon: <Pencil size={16} aria-hidden />, onChoose: rename },
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
