import type { ReactElement } from 'react'
import type { ToolPart } from 'dragoman'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { askedOnce } from '../ui/asked-once.ts'
import { duration } from '../ui/moments.ts'
import styles from './card-line.module.css'
import { useDuration } from './use-call-facts.ts'

/** Shorter times are not shown. */
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

/** How long calls took in milliseconds, by call. */
type SavedTimes = ReadonlyMap<string, number>

const newest = { limit: '100' }

/** How long the newest calls of a session took, as the server knows it. */
const savedTimes = askedOnce<SavedTimes>(new Map(), async (client, session) => {
  const { entries } = await client.call('GET /api/sessions/:session/work-log', {
    params: { session },
    query: newest,
  })
  return new Map(
    entries.flatMap(({ toolCallId, duration: took }) => (took === null ? [] : [[toolCallId, took]])),
  )
})
