import type { ReactElement } from 'react'
import type { ToolPart } from 'dragoman'
import type { Client, Session } from 'dragoman/client'
import { duration } from '../ui/moments.ts'
import { useDetails } from '../ui/use-fetched.ts'
import styles from './card-line.module.css'
import { useDuration } from './use-call-facts.ts'

/** Shorter times are not shown. */
const least = 100

/** The duration of a call, measured here or by the server. */
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
  const saved = useDetails('call times', session, loadTimes)
  return <Time ms={saved?.get(toolCall) ?? 0} />
}

const Time = ({ ms }: { readonly ms: number }) =>
  ms < least ? null : <span className={styles['time']}>{duration(ms)}</span>

const newest = { limit: '100' }

/** Loads how long the newest calls of a session took, in milliseconds. */
async function loadTimes(client: Client, session: string): Promise<ReadonlyMap<string, number>> {
  const { entries } = await client.call('GET /api/sessions/:session/work-log', {
    params: { session },
    query: newest,
  })
  return new Map(
    entries.flatMap(({ toolCallId, duration: took }) => (took === null ? [] : [[toolCallId, took]])),
  )
}
