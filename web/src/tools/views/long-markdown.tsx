import type { ReactElement } from 'react'
import { Markdown } from '../../markdown/markdown.tsx'
import { useRoom } from '../use-room.ts'
import { MoreButton } from './more-button.tsx'
import { Titled } from './titled.tsx'
import styles from './views.module.css'

const start = { lines: 80, characters: 8000 }

/** A text in Markdown, its first screens at first. */
export function LongMarkdown({
  title,
  text,
}: {
  readonly title: string | null
  readonly text: string
}): ReactElement {
  const { text: shown, left, showMore } = useRoom(text, { start })
  return (
    <Titled title={title} copy={text}>
      <div className={styles['markdown']}>
        <Markdown text={shown} />
      </div>
      <MoreButton left={left} onMore={showMore} />
    </Titled>
  )
}
