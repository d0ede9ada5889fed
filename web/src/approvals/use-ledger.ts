import { useEffect, useMemo, useState } from 'react'
import { useClient, useReadable } from 'dragoman/react'
import { ledgerOf, type LedgerRow } from './ledger.ts'
import { createLedgerReader, type LedgerState } from './ledger-reader.ts'

/** The questions of all sessions, as far as they were read. */
export interface Ledger extends Pick<LedgerState, 'read' | 'isReading' | 'problem'> {
  readonly waiting: readonly LedgerRow[]
  readonly past: readonly LedgerRow[]
  /** Whether there are sessions that were not read yet. */
  readonly hasMore: boolean
  /** Reads some more sessions. */
  readonly readMore: () => void
  readonly again: (session: string) => void
}

/** How many sessions are read at first, and each time somebody comes to the end. */
const few = 20

/** Reads the newest sessions, and all in which something waits; what changes in them is read anew. */
export function useLedger(): Ledger {
  const client = useClient()
  const reader = useMemo(() => createLedgerReader(client), [client])
  const list = client.sessions()
  const { sessions, hasMore, loading } = useReadable(list)
  const { sessions: running } = useReadable(client.running)
  const [depth, setDepth] = useState(few)
  const { read, isReading, problem } = useReadable(reader)
  useEffect(() => {
    const waiting = running.filter(({ pending }) => pending > 0)
    const known = new Set(waiting.map(({ id }) => id))
    const wanted = sessions.filter(({ pending }, at) => at < depth || pending > 0)
    reader.want([...waiting, ...wanted.filter(({ id }) => !known.has(id))])
  }, [reader, sessions, running, depth])
  const { waiting, past } = useMemo(() => ledgerOf(read), [read])
  return {
    read,
    waiting,
    past,
    isReading: isReading || loading,
    problem,
    hasMore: hasMore || depth < sessions.length,
    readMore() {
      if (depth >= sessions.length && hasMore) list.loadMore()
      setDepth(depth + few)
    },
    again: reader.again,
  }
}
