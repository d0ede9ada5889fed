import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { Maximize2 } from 'lucide-react'
import type { Session } from 'dragoman/client'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DebugFacts } from './debug-facts.tsx'
import styles from './inspector.module.css'
import { Lines } from './lines.tsx'
import type { InspectTarget } from './target.ts'
import { useInspection } from './use-inspection.ts'

/** The props of the inspector. */
export interface InspectorProps {
  readonly session: Session
  readonly target: InspectTarget
  readonly onClose: () => void
}

/** The native lines of a message, a call or an entry, next to their chunks. */
export const Inspector = (props: InspectorProps): ReactElement => (
  <Inspected key={JSON.stringify(props.target)} {...props} />
)

function Inspected({ session, target, onClose }: InspectorProps): ReactElement {
  const [isLarge, enlarge] = useState(false)
  const inspection = useInspection(session, target)
  const leave = ({ key, target: element }: KeyboardEvent) => {
    const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement
    if (key === 'Escape' && !isLarge && !isField) onClose()
  }
  return (
    <section className={styles['inspector']} aria-label="Inspector" onKeyDown={leave}>
      <header className={styles['head']}>
        <DebugFacts session={session} />
        <IconButton label="Enlarge" className={styles['enlarge']} onClick={() => enlarge(true)}>
          <Maximize2 size={16} aria-hidden />
        </IconButton>
      </header>
      {!isLarge && <Lines inspection={inspection} />}
      <Dialog open={isLarge} title="Native lines and chunks" shape="wide" onClose={() => enlarge(false)}>
        <div className={styles['large']}>
          <Lines inspection={inspection} />
        </div>
      </Dialog>
    </section>
  )
}
