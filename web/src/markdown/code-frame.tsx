import type { ReactElement, ReactNode } from 'react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import styles from './code.module.css'

/** A box with a title line and actions. */
export const CodeFrame = ({
  title,
  hint = title,
  tools,
  children,
}: {
  readonly title: string
  readonly hint?: string
  readonly tools: ReactNode
  readonly children: ReactNode
}): ReactElement => (
  <figure className={styles['code']}>
    <figcaption className={styles['head']}>
      <span className={styles['language']} title={inertString(hint)}>
        <InertText text={title} />
      </span>
      {tools}
    </figcaption>
    {children}
  </figure>
)
