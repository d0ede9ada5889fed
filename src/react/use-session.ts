import { useMemo } from 'react'
import { select } from '../client/readable.ts'
import type { Session } from '../client/session.ts'
import type { SessionFacts, SessionState } from '../client/stores/session-state.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** A session as a component sees it. */
export interface UsedSession {
  /** All that can be seen of it and asked of it. */
  readonly session: Session
  readonly facts: SessionFacts | null
  readonly phase: SessionState['phase']
  /** Why it is not live, in a sentence. */
  readonly problem: string | null
}

/** Opens a session while the component is there. */
export function useSession(id: string): UsedSession {
  const session = useClient().session(id)
  const { phase, problem } = useMemo(
    () => ({
      phase: select(session.state, state => state.phase),
      problem: select(session.state, state => state.problem),
    }),
    [session],
  )
  return {
    session,
    facts: useReadable(session.facts),
    phase: useReadable(phase),
    problem: useReadable(problem),
  }
}
