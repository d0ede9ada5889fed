import type { ReactElement } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { standingWords, type Standing } from './session-status.ts'
import styles from './status-dot.module.css'

/** A dot for how a session stands; the words are for screen readers, or beside it. */
export const StatusDot = ({ standing }: { readonly standing: Standing }): ReactElement => (
  <span className={styles['dot']} data-standing={standing} aria-hidden />
)

const tones: Readonly<Record<Standing, Tone>> = {
  waiting: 'warn',
  queued: 'neutral',
  running: 'live',
  failed: 'bad',
  stopped: 'neutral',
  done: 'good',
  new: 'neutral',
}

/** How a session stands, with a dot and a word; of what may have changed since, that it was so when last heard. */
export const StatusBadge = ({
  standing,
  isOld = false,
}: {
  readonly standing: Standing
  readonly isOld?: boolean
}): ReactElement => {
  const isDoubtful = isOld && (standing === 'running' || standing === 'queued' || standing === 'waiting')
  return (
    <Badge tone={isDoubtful ? 'neutral' : tones[standing]}>
      <StatusDot standing={standing} />
      {isDoubtful ? `${standingWords[standing]} when last heard` : standingWords[standing]}
    </Badge>
  )
}
