import { useEffect, useState } from 'react'
import { isDragomanError } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { useSecondTry } from '../ui/use-second-try.ts'

/** What the frame of a replay says of its session. */
export interface ReplayFacts {
  readonly title: string | null
  readonly agent: string
  readonly cwd: string
}

/** Reads it once, or until it could be read; a replay is about what was. `gone` when there is no such session. */
export function useSessionFacts(session: string): ReplayFacts | 'gone' | null {
  const client = useClient()
  const [facts, setFacts] = useState<ReplayFacts | 'gone' | null>(null)
  const [failures, setFailures] = useState(0)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    client.call('getSession', { params: { session } }, { signal: leaving.signal }).then(
      ({ title, agent, cwd }) => setFacts({ title, agent, cwd }),
      (error: unknown) => {
        if (leaving.signal.aborted) return
        // What else is wrong with the session, the replay itself says.
        if (isDragomanError(error, 'unknown-session')) setFacts('gone')
        else setFailures(before => before + 1)
      },
    )
    return () => leaving.abort()
  }, [client, session, round])
  useSecondTry(failures > round, () => setRound(failures))
  return facts
}
