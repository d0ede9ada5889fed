import type { ReactElement, ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

/** What a badge tells by its colour; the words tell it, too. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'live' | 'accent'

/** A word or a number with a colour. */
export const Badge = ({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
}): ReactElement => <span className={classNames(styles['badge'], styles[tone])}>{children}</span>
