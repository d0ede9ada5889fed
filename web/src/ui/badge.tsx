import type { ReactElement, ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

/** The meaning of a badge's color; its label says the same. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'live' | 'accent'

/** A colored label or number. */
export const Badge = ({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
}): ReactElement => <span className={classNames(styles['badge'], styles[tone])}>{children}</span>
