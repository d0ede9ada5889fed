import type { ReactElement } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { Standing } from './session-status.ts'
import styles from './status-dot.module.css'
import { useStanding } from './use-standing.ts'

/** A dot for a session's status; the label is next to it or for screen readers. */
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

/** A session's status as a dot and a label. */
export const StatusBadge = ({ standing }: { readonly standing: Standing }): ReactElement => {
  const { words, isDoubtful } = useStanding(standing)
  return (
    <Badge tone={isDoubtful ? 'neutral' : tones[standing]}>
      <StatusDot standing={standing} />
      {words}
    </Badge>
  )
}
