import { useEffect, useMemo } from 'react'
import { useClient, useReadable } from 'dragoman/react'
import { useSecondTry } from '../ui/use-second-try.ts'
import { markOf } from './ledger.ts'
import { createLedgerReader, type LedgerReader, type LedgerState } from './ledger-reader.ts'

/** The loaded requests of all sessions. */
export interface Ledger extends Omit<LedgerState, 'mark'> {
  /** Whether all pending requests are known, judged by the session lists that the badge counts. */
  readonly isKnown: boolean
  /** Loads the next page of settled requests. */
  readonly readMore: () => void
  /** Reads what is new once more. */
  readonly again: () => void
  /** Reads what could not be read once more. */
  readonly retry: () => void
}

/** Reads what waits in all sessions and what is over, the newest first; again when something changes in the sessions. */
export function useLedger(): Ledger {
  const client = useClient()
  const reader = useMemo(() => createLedgerReader(client), [client])
  const list = client.sessions()
  const listed = useReadable(list)
  const atWork = useReadable(client.running)
  const { sessions } = listed
  const { sessions: running } = atWork
  const { mark: readMark, ...state } = useReadable(reader)
  const problemOfLists = listed.problem ?? atWork.problem
  const isLoading = (listed.loading || atWork.loading) && problemOfLists === null
  const mark = useMemo(() => markOf([...running, ...sessions]), [running, sessions])
  useEffect(() => {
    if (!isLoading) reader.want(mark)
  }, [reader, mark, isLoading])
  useSecondTry(state.problem !== null, reader.again)
  useFreshRules(reader)
  return {
    ...state,
    isReading: state.isReading || isLoading,
    isKnown: !isLoading && readMark === mark,
    problem: state.problem ?? problemOfLists,
    readMore: reader.readMore,
    again: reader.again,
    retry() {
      reader.again()
      if (listed.problem !== null) list.loadMore()
      if (atWork.problem !== null) client.running.loadMore()
      client.surroundings.pauses.wake()
    },
  }
}

/** Reloads the rules when the user returns to the page: the session lists don't show revoked rules. */
function useFreshRules(reader: LedgerReader): void {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && reader.get().rules.length > 0) reader.again()
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [reader])
}
