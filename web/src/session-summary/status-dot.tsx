import type { ReactElement } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { Standing } from './session-status.ts'
import styles from './status-dot.module.css'
import { useStanding } from './use-standing.ts'

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

/** How a session stands, with a dot and a word. */
export const StatusBadge = ({ standing }: { readonly standing: Standing }): ReactElement => {
  const { words, isDoubtful } = useStanding(standing)
  return (
    <Badge tone={isDoubtful ? 'neutral' : tones[standing]}>
      <StatusDot standing={standing} />
      {words}
    </Badge>
  )
}
