import type { ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import { inertString } from '../../safety/inert-text.ts'
import { classNames } from '../../ui/class-names.ts'
import { useRoom } from '../use-room.ts'
import { MoreButton } from './more-button.tsx'
import { Titled } from './titled.tsx'
import styles from './views.module.css'

/** A text as it is, its first screen at first. */
export function PlainText({
  title,
  text,
  bad = false,
}: {
  readonly title: string | null
  readonly text: string
  readonly bad?: boolean
}): ReactElement {
  const { text: shown, left, showMore } = useRoom(text)
  return (
    <Titled title={title} copy={text}>
      <pre
        className={classNames(styles['text'], bad && styles['bad'])}
        tabIndex={0}
        role="group"
        aria-label={inertString(title ?? 'Text')}
      >
        <InertText text={shown} />
      </pre>
      <MoreButton left={left} onMore={showMore} />
    </Titled>
  )
}
