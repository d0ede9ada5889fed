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
  running: 'live',
  failed: 'bad',
  stopped: 'neutral',
  done: 'good',
  new: 'neutral',
}

/** How a session stands, with a dot and a word. */
export const StatusBadge = ({ standing }: { readonly standing: Standing }): ReactElement => (
  <Badge tone={tones[standing]}>
    <StatusDot standing={standing} />
    {standingWords[standing]}
  </Badge>
)
