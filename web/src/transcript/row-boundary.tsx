import { Component, type ReactElement, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { useRowSetting } from './row-setting.ts'
import line from './small-line.module.css'

interface RowBoundaryProps {
  /** The message that the row is a piece of. */
  readonly message: string | null
  readonly children: ReactNode
}

/** Keeps an error in one row from breaking the others. */
export class RowBoundary extends Component<RowBoundaryProps, { readonly problem: string | null }> {
  override state = { problem: null }

  static getDerivedStateFromError(error: unknown): { readonly problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    const { problem } = this.state
    if (problem === null) return this.props.children
    return <Broken problem={problem} message={this.props.message} />
  }
}

function Broken({
  problem,
  message,
}: {
  readonly problem: string
  readonly message: string | null
}): ReactElement {
  const { onInspect } = useRowSetting()
  return (
    <div className={line['line']} role="alert">
      <span>{`Couldn’t display this because of an error in this page: ${problem}`}</span>
      {onInspect !== null && message !== null && (
        <Button kind="quiet" small onClick={() => onInspect({ message })}>
          Raw
        </Button>
      )}
    </div>
  )
}
