import { useState, type ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { Hit, HitGroup } from '../sections/section.ts'
import styles from './hits.module.css'

/** How many lines are shown at first, and with every further press. */
const room = { first: 60, more: 500 }

/** What a search found, by file. */
export function Hits({ groups }: { readonly groups: readonly HitGroup[] }): ReactElement {
  const [most, setMost] = useState(room.first)
  const all = groups.reduce((sum, { hits }) => sum + Math.max(1, hits.length), 0)
  return (
    <div className={styles['hits']} tabIndex={0} role="group" aria-label="Search results in files">
      {firstOf(groups, most).map(({ path, hits, of }, at) => (
        <Group key={at} path={path} hits={hits} of={of} />
      ))}
      {all > most && (
        <Button
          small
          onClick={() => setMost(most + room.more)}
        >{`Show more (${counted(all - most, 'line')} left)`}</Button>
      )}
    </div>
  )
}

interface ShownGroup extends HitGroup {
  /** How many hits there are in all; those around them do not count. */
  readonly of: number
}

function firstOf(groups: readonly HitGroup[], most: number): readonly ShownGroup[] {
  const shown: ShownGroup[] = []
  let left = most
  for (const { path, hits } of groups) {
    if (left <= 0) break
    shown.push({ path, hits: hits.slice(0, left), of: hits.filter(({ near }) => !near).length })
    left -= Math.max(1, hits.length)
  }
  return shown
}

const Group = ({ path, hits, of }: ShownGroup) => (
  <div className={styles['group']}>
    {path !== null && (
      <div className={styles['path']}>
        <InertText text={path} />
        {of > 0 && <span className={styles['count']}>{of}</span>}
      </div>
    )}
    {hits.length > 0 && (
      <ul className={styles['lines']}>
        {hits.map((hit, at) => (
          <Line key={at} {...hit} />
        ))}
      </ul>
    )}
  </div>
)

const Line = ({ line, text, near }: Hit) => (
  <li className={classNames(styles['line'], near && styles['near'])}>
    {line !== null && <span className={styles['number']}>{line}</span>}
    <code>
      <InertText text={text} />
    </code>
  </li>
)
