import type { ReactElement } from 'react'
import type { ToolPart } from 'dragoman'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { duration } from '../ui/moments.ts'
import styles from './card-line.module.css'
import { savedTimes } from './saved-times.ts'
import { useDuration } from './use-call-facts.ts'

/** What is quicker is not worth a word. */
const least = 100

/** How long a call took, as it was seen here or as the server has it. */
export function CardTime({
  session,
  part,
}: {
  readonly session: Session
  readonly part: ToolPart
}): ReactElement | null {
  const seen = useDuration(session, part)
  return seen === null ? <SavedTime session={session} toolCall={part.toolCallId} /> : <Time ms={seen} />
}

function SavedTime({
  session,
  toolCall,
}: {
  readonly session: Session
  readonly toolCall: string
}): ReactElement | null {
  const saved = useReadable(savedTimes(useClient(), session))
  return <Time ms={saved.get(toolCall) ?? 0} />
}

const Time = ({ ms }: { readonly ms: number }) =>
  ms < least ? null : <span className={styles['time']}>{duration(ms)}</span>
