import type { ReactElement } from 'react'
import { CodeText } from '../../markdown/code-text.tsx'
import { inertString } from '../../safety/inert-text.ts'
import { useRoom } from '../use-room.ts'
import { MoreButton } from './more-button.tsx'
import { Titled } from './titled.tsx'
import styles from './views.module.css'

/** The text of a file, with the numbers of its lines beside it. */
export function FileText({
  path,
  first,
  text,
}: {
  readonly path: string
  readonly first: number
  readonly text: string
}): ReactElement {
  const { text: shown, left, showMore } = useRoom(text)
  const count = shown.split('\n').length - (shown.endsWith('\n') ? 1 : 0)
  const numbers = Array.from({ length: count }, (_, at) => first + at).join('\n')
  return (
    <Titled title={path === '' ? 'Text' : path} copy={text}>
      <div className={styles['file']} tabIndex={0} role="group" aria-label={inertString(`Text of ${path}`)}>
        <pre className={styles['numbers']} aria-hidden>
          {numbers}
        </pre>
        <pre className={styles['lines']}>
          <CodeText text={shown} language={/\w{1,32}$/.exec(path)?.[0]} />
        </pre>
      </div>
      <MoreButton left={left} onMore={showMore} />
    </Titled>
  )
}
