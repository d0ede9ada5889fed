import { useMemo, type ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import styles from '../markdown.module.css'
import { drawFormula } from './draw-formula.ts'
import 'katex/dist/katex.min.css'

/** A rendered formula; one with an error shows its source. */
export function Formula({
  source,
  raw,
  display,
}: {
  readonly source: string
  readonly raw: string
  readonly display: boolean
}): ReactElement {
  const drawn = useMemo(() => drawFormula(source, display), [source, display])
  if ('trouble' in drawn)
    return (
      <code className={styles['code']} title={drawn.trouble}>
        <InertText text={raw.trim()} />
      </code>
    )
  return <span ref={place => place?.replaceChildren(drawn.node)} />
}
