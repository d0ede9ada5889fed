import type { ReactElement } from 'react'
import { ChevronDown, ChevronRight, Pin } from 'lucide-react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import type { SidebarRow } from './group-sessions.ts'
import styles from './session-list.module.css'

type Group = Extract<SidebarRow, { readonly kind: 'group' }>

/** The name of a group. A project is a button that shows or hides its sessions. */
export function GroupHeading({
  group,
  isStop,
  onToggle,
}: {
  readonly group: Group
  /** Whether the Tab key stops here. */
  readonly isStop: boolean
  readonly onToggle: (id: string) => void
}): ReactElement {
  const { id, name, count, folder, isFolded } = group
  if (folder === null)
    return (
      <h2 className={styles['group']}>
        {name === 'Pinned' && <Pin size={12} aria-hidden />}
        {name}
        {name === 'Waiting for approval' && <span className={styles['count']}>{count}</span>}
      </h2>
    )
  const Arrow = isFolded ? ChevronRight : ChevronDown
  return (
    <h2 className={styles['heading']} data-listed={`group ${id}`}>
      <button
        type="button"
        className={classNames(styles['group'], styles['project'])}
        aria-expanded={!isFolded}
        title={inertString(folder)}
        tabIndex={isStop ? 0 : -1}
        data-stop={`group ${id}`}
        onClick={() => onToggle(id)}
      >
        <Arrow size={12} aria-hidden />
        <span className={styles['name']}>
          <InertText text={name} />
        </span>
        <span className={styles['number']}>{count}</span>
      </button>
    </h2>
  )
}
