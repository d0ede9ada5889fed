import { useEffect, useState } from 'react'
import { useClient } from 'dragoman/react'

/** What the frame of a replay says of its session. */
export interface ReplayFacts {
  readonly title: string | null
  readonly agent: string
  readonly cwd: string
}

/** Reads it once; a replay is about what was. */
export function useSessionFacts(session: string): ReplayFacts | null {
  const client = useClient()
  const [facts, setFacts] = useState<ReplayFacts | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    client.call('getSession', { params: { session } }, { signal: leaving.signal }).then(
      ({ title, agent, cwd }) => setFacts({ title, agent, cwd }),
      // What is wrong with the session, the replay itself says.
      () => {},
    )
    return () => leaving.abort()
  }, [client, session])
  return facts
}
