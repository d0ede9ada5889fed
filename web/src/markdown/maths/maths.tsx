import { lazy, Suspense, type ReactElement, Component, type ReactNode } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
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

interface SurvivesProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Shows a fallback where the content fails to load or to render. */
class Survives extends Component<SurvivesProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
