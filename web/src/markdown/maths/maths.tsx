import { lazy, Suspense, type ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import { Survives } from '../survives.tsx'
import styles from '../markdown.module.css'

const Formula = lazy(async () => ({ default: (await import('./formula.tsx')).Formula }))

/** A formula. The renderer is loaded with the first one; until then, and if it fails, the source is shown. */
export function Maths({
  source,
  raw,
  display,
}: {
  readonly source: string
  readonly raw: string
  readonly display: boolean
}): ReactElement {
  const asWritten = (
    <code className={styles['code']}>
      <InertText text={raw.trim()} />
    </code>
  )
  const formula = (
    <Survives fallback={asWritten}>
      <Suspense fallback={asWritten}>
        <Formula source={source} raw={raw} display={display} />
      </Suspense>
    </Survives>
  )
  return <span className={styles[display ? 'display' : 'inline']}>{formula}</span>
}
