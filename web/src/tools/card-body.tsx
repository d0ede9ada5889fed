import { useMemo, useState, type ReactElement } from 'react'
import type { DataParts, Json, ToolPart } from 'dragoman'
import type { Session } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import { Button } from '../ui/button.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import type { Card } from './card.ts'
import styles from './card-body.module.css'
import { sectionsOf } from './sections/sections-of.ts'
import { shownCall, type ShownCall } from './sections/shown-call.ts'
import { SectionView } from './views/section-view.tsx'
import { Whole } from './whole.tsx'

/** An open card: the call by its kind, and all its data on demand. */
export function CardBody({
  part,
  place: { agent, cwd },
  card: { family, exit, standing },
  session,
  shortened,
  onInspect,
}: {
  readonly part: ToolPart
  readonly place: CallPlace
  readonly card: Card
  readonly session: Session | null
  readonly shortened: DataParts['shortened'] | null | undefined
  readonly onInspect: (() => void) | undefined
}): ReactElement {
  const call = useMemo(() => shownCall(part, { agent, cwd }), [part, agent, cwd])
  const sections = useMemo(
    // The reason for a denial is shown under the card's line.
    () => sectionsOf(call, family, exit).filter(each => standing !== 'denied' || !('bad' in each)),
    [call, family, exit, standing],
  )
  const [all, setAll] = useState(false)
  return (
    <div className={styles['body']}>
      {sections.map((section, at) => (
        <SectionView key={`${at} ${section.kind}`} section={section} live={standing === 'running'} />
      ))}
      {sections.length === 0 && <p className={styles['nothing']}>{nothing[standing] ?? 'No output.'}</p>}
      {shortened && session !== null && <Whole session={session} shortened={shortened} />}
      <div className={styles['tools']}>
        <Button small kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          All data
        </Button>
        {onInspect !== undefined && (
          <Button small kind="quiet" onClick={onInspect}>
            Raw
          </Button>
        )}
      </div>
      {all && <JsonTree value={dataOf(part, call)} open={2} />}
    </div>
  )
}

const nothing: Readonly<Partial<Record<Card['standing'], string>>> = {
  writing: 'The agent is writing the input.',
  running: 'No output yet.',
  asking: 'Waiting for approval.',
}

/** Everything that is known of a call. */
function dataOf({ toolCallId, state }: ToolPart, { tool, input, output, error }: ShownCall): Json {
  return {
    tool,
    call: toolCallId,
    state,
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
  }
}
