import type { CallTimes, Readable, Session, SessionFacts, SessionState } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import { usePart } from '../ui/use-part.ts'

const never = <Value>(value: Value): Readable<Value> => ({
  get: () => value,
  subscribe(run) {
    run(value)
    return () => {}
  },
})
const noFacts = never<SessionFacts | null>(null)
const noState = never<SessionState | null>(null)
const nowhere: CallPlace = { agent: null, cwd: null }

/** Who made a call, and in which folder: as given, or else as the session says. */
export function useCallPlace(session: Session | null, given: CallPlace = nowhere): CallPlace {
  const facts: Readable<SessionFacts | null> = session?.facts ?? noFacts
  const agent = usePart(facts, each => each?.agent ?? null)
  const cwd = usePart(facts, each => each?.cwd ?? null)
  return { agent: given.agent ?? agent, cwd: given.cwd ?? cwd }
}

/** How long a call took in milliseconds, where its beginning and its end were seen here; else null. */
export function useDuration(session: Session | null, toolCall: string): number | null {
  const state: Readable<SessionState | null> = session?.state ?? noState
  const times = usePart(state, each => each?.view.calls.get(toolCall))
  return times === undefined ? null : timeBetween(times)
}

function timeBetween(times: CallTimes): number | null {
  const ready = times['tool-input-available'] ?? times['tool-input-start']
  const end = times['tool-output-available'] ?? times['tool-output-error'] ?? times['tool-output-denied']
  return ready === undefined || end === undefined ? null : end.at - ready.at
}
