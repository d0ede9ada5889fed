import { useEffect, useMemo, useState } from 'react'
import { useClient, useReadable } from 'dragoman/react'
import { ledgerOf, type LedgerRow } from './ledger.ts'
import { useSecondTry } from '../ui/use-second-try.ts'
import { createLedgerReader, isReadIn, type LedgerReader, type LedgerState } from './ledger-reader.ts'

/** The questions of all sessions, as far as they were read. */
export interface Ledger extends Pick<LedgerState, 'read' | 'isReading' | 'problem'> {
  readonly waiting: readonly LedgerRow[]
  readonly past: readonly LedgerRow[]
  /** Whether all that waits is known, as far as the lists of sessions tell: they are what the badge counts. */
  readonly isKnown: boolean
  /** Whether there are sessions that were not read yet. */
  readonly hasMore: boolean
  /** Reads some more sessions. */
  readonly readMore: () => void
  readonly again: (session: string) => void
  /** Reads what could not be read once more. */
  readonly retry: () => void
}

/** How many sessions are read at first, and each time somebody comes to the end. */
const few = 20

/** Reads the newest sessions, and all in which something waits; what changes in them is read anew. */
export function useLedger(): Ledger {
  const client = useClient()
  const reader = useMemo(() => createLedgerReader(client), [client])
  const list = client.sessions()
  const listed = useReadable(list)
  const atWork = useReadable(client.running)
  const { sessions, hasMore } = listed
  const { sessions: running } = atWork
  const [depth, setDepth] = useState(few)
  const { read, isReading, problem } = useReadable(reader)
  useEffect(() => {
    const waiting = running.filter(({ pending }) => pending > 0)
    const known = new Set(waiting.map(({ id }) => id))
    const wanted = sessions.filter(({ pending }, at) => at < depth || pending > 0)
    reader.want([...waiting, ...wanted.filter(({ id }) => !known.has(id))])
  }, [reader, sessions, running, depth])
  useSecondTry(problem !== null, reader.retry)
  useFreshRules(reader)
  const { waiting, past } = useMemo(() => ledgerOf(read), [read])
  const loading = listed.loading || atWork.loading
  const asked = [...running, ...sessions].filter(({ pending }) => pending > 0)
  return {
    read,
    waiting,
    past,
    isReading: isReading || loading,
    isKnown: !loading && asked.every(session => isReadIn(read, session)),
    problem: problem ?? listed.problem ?? atWork.problem,
    hasMore: hasMore || depth < sessions.length,
    readMore() {
      if (depth >= sessions.length && hasMore) list.loadMore()
      setDepth(depth + few)
    },
    again: reader.again,
    retry() {
      reader.retry()
      if (listed.problem !== null) list.loadMore()
      if (atWork.problem !== null) client.running.loadMore()
      client.surroundings.pauses.wake()
    },
  }
}

/** Who comes back to the page sees which rules are left: no list of sessions tells that one was taken back. */
function useFreshRules(reader: LedgerReader): void {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== 'visible') return
      for (const { session, rules } of reader.get().read) if (rules.length > 0) reader.again(session.id)
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [reader])
}
