import type { ReactElement, ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { inertString } from '../../safety/inert-text.ts'
import { InertText } from '../../safety/inert-text.tsx'
import styles from './views.module.css'

/** A part of a card with its title, and a button that copies it. */
export const Titled = ({
  title,
  copy,
  children,
}: {
  readonly title: string | null
  readonly copy?: string | (() => string)
  readonly children: ReactNode
}): ReactElement => (
  <div className={styles['titled']}>
    {title !== null && (
      <div className={styles['title']}>
        <InertText text={title} />
        {copy !== undefined && copy !== '' && (
          <CopyButton text={copy} label={inertString(`Copy ${title.toLowerCase()}`)} />
        )}
      </div>
    )}
    {children}
  </div>
)
