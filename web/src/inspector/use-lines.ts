import { useEffect, useMemo } from 'react'
import type { Entry } from 'dragoman'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { createBelonging } from './belonging.ts'
import { findStart } from './find-start.ts'
import { createLineReader, notKnown, type LineReader, type Reading } from './line-reader.ts'
import type { InspectTarget } from './target.ts'
import { usePart } from '../ui/use-part.ts'

const newsMs = 500
const secondTryMs = 1500

/** The lines of a target and those around them; new lines are added live. */
export function useLines(session: Session, target: InspectTarget): Reading & { readonly reader: LineReader } {
  const client = useClient()
  const name = JSON.stringify(target)
  const reader = useMemo(() => {
    const wanted = JSON.parse(name) as InspectTarget
    const params = { session: session.id }
    return createLineReader({
      find: () => findStart(client, session, wanted),
      async read(after, limit) {
        const query = { after: String(after), limit: String(limit), raw: '1' } as const
        const { entries, head } = await client.call('listEntries', { params, query })
        return { entries: entries as unknown as readonly Entry[], head }
      },
      belonging: createBelonging(wanted),
      pagesAtOnce: 'seq' in wanted ? 1 : 10,
    })
  }, [client, session, name])
  const reading = useReadable(reader)
  useEffect(() => void reader.open(), [reader])
  useNews(session, reader, reading)
  useSecondTry(session, reader, reading.problem !== null && reading.problem !== notKnown)
  return { ...reading, reader }
}

/** Failed loads are retried once the server is reachable again. */
function useSecondTry(session: Session, reader: LineReader, hasFailed: boolean): void {
  const isOpen = usePart(session.debug, ({ connection }) => connection.state === 'open')
  useEffect(() => {
    if (!isOpen || !hasFailed) return
    const again = () => void (reader.get().lines.length === 0 ? reader.open() : reader.later())
    const timer = setInterval(again, secondTryMs)
    return () => clearInterval(timer)
  }, [reader, isOpen, hasFailed])
}

/** Reads new entries while the end of the session is in view. */
function useNews(session: Session, reader: LineReader, { phase, lines, head, isOver }: Reading): void {
  const isAtEnd = phase === 'there' && !isOver && lines.at(-1)?.seq === head
  useEffect(() => {
    if (!isAtEnd) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = session.debug.subscribe(({ seq }) => {
      if (seq > head) timer ??= setTimeout(() => void reader.later(), newsMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [session, reader, isAtEnd, head])
}
