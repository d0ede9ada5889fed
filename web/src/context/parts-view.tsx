import { useState, type ReactElement } from 'react'
import type { Context } from 'dragoman/client/context'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import type { Question } from './confirm.tsx'
import { PartRow } from './part-row.tsx'
import styles from './parts-view.module.css'

/** The props of the list of parts. */
export interface PartsViewProps {
  readonly session: string
  readonly context: Context
  readonly onAsk: (question: Question) => void
  /** Opens another page, by its cursor; null is the newest. */
  readonly onPage: (cursor: string | null) => void
  /** Shows another request, by its number. */
  readonly onStep: (step: number) => void
}

/** The parts that were not sent in their original form, with their replacement and the reason. */
export function PartsView({ session, context, onAsk, onPage, onStep }: PartsViewProps): ReactElement {
  const { parts, total, source } = context
  return (
    <>
      <Steps context={context} onStep={onStep} />
      {total === 0 && <Empty title="Nothing trimmed">The model sees everything.</Empty>}
      <ul className={styles['parts']}>
        {parts.map(part => (
          <PartRow key={part.part} session={session} part={part} source={source} onAsk={onAsk} />
        ))}
      </ul>
      <Pages context={context} onPage={onPage} />
    </>
  )
}

/** The chosen request, where there are several. */
function Steps({
  context: { source, request, saved },
  onStep,
}: Pick<PartsViewProps, 'context' | 'onStep'>): ReactElement | null {
  const last = Math.max(saved.requests, request.step)
  if (source !== 'sent' || last <= 1) return null
  return (
    <p className={styles['steps']}>
      {`Request ${request.step} of ${last}`}
      <Button small disabled={request.step <= 1} onClick={() => onStep(request.step - 1)}>
        Previous request
      </Button>
      <Button small disabled={request.step >= last} onClick={() => onStep(request.step + 1)}>
        Next request
      </Button>
    </p>
  )
}

/** The ways to other pages of parts, where there are some. */
function Pages({
  context: { parts, total, next },
  onPage,
}: Pick<PartsViewProps, 'context' | 'onPage'>): ReactElement | null {
  const [isPaged, setPaged] = useState(false)
  if (next === null && !isPaged) return null
  const turn = (cursor: string | null) => {
    setPaged(cursor !== null)
    onPage(cursor)
  }
  return (
    <p className={styles['steps']}>
      {`${parts.length} of ${counted(total, 'part')}`}
      {next !== null && (
        <Button small onClick={() => turn(next)}>
          Earlier parts
        </Button>
      )}
      {isPaged && (
        <Button small onClick={() => turn(null)}>
          Newest parts
        </Button>
      )}
    </p>
  )
}
