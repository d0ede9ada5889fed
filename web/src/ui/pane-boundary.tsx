import { Component, type ErrorInfo, type ReactElement, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './pane-boundary.module.css'

interface Props {
  /** The name of the content in a sentence: "The transcript". */
  readonly what: string
  readonly children: ReactNode
}

interface Failure {
  readonly text: string
}

/** A part of the page that may fail without taking the rest with it. */
export class PaneBoundary extends Component<Props, { readonly failure: Failure | null }> {
  override state: { readonly failure: Failure | null } = { failure: null }

  static getDerivedStateFromError(error: unknown): { readonly failure: Failure } {
    return { failure: { text: error instanceof Error ? (error.stack ?? error.message) : String(error) } }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const text =
      error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
    this.setState({ failure: { text: `${text}\n${componentStack ?? ''}` } })
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return (
      <Broken what={this.props.what} failure={failure} onAgain={() => this.setState({ failure: null })} />
    )
  }
}

const Broken = ({
  what,
  failure,
  onAgain,
}: {
  readonly what: string
  readonly failure: Failure
  readonly onAgain: () => void
}): ReactElement => (
  <div className={styles['broken']} role="alert">
    <p>{`${what} couldn’t be displayed because of an error in this page. Nothing in the session is lost.`}</p>
    <pre className={styles['text']}>{failure.text.split('\n', 1)[0]}</pre>
    <div className={styles['actions']}>
      <Button onClick={onAgain}>Try again</Button>
      <Button onClick={() => location.reload()}>Reload page</Button>
      <CopyButton text={failure.text} label="Copy error" />
    </div>
  </div>
)
