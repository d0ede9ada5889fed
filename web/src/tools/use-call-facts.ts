import type { ToolPart } from 'dragoman'
import type { Readable, Session, SessionFacts, SessionState } from 'dragoman/client'
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

/** The agent and folder of a call: as given, or those of the session. */
export function useCallPlace(session: Session | null, given: CallPlace = nowhere): CallPlace {
  const facts: Readable<SessionFacts | null> = session?.facts ?? noFacts
  const agent = usePart(facts, each => each?.agent ?? null)
  const cwd = usePart(facts, each => each?.cwd ?? null)
  return { agent: given.agent ?? agent, cwd: given.cwd ?? cwd }
}

/** How long a call took in milliseconds, if its start and end were seen here; else null. */
export function useDuration(session: Session | null, part: ToolPart): number | null {
  const state: Readable<SessionState | null> = session?.state ?? noState
  return usePart(state, each => (each === null ? null : durationIn(each, part)))
}

/** The time from when it could run to its result, as the server counts: waiting for approval is not included. */
export function durationIn(
  { view, events }: Pick<SessionState, 'events'> & { readonly view: Pick<SessionState['view'], 'calls'> },
  part: ToolPart,
): number | null {
  const times = view.calls.get(part.toolCallId) ?? {}
  const ready = times['tool-input-available'] ?? times['tool-input-start']
  const end = times['tool-output-available'] ?? times['tool-output-error'] ?? times['tool-output-denied']
  if (end === undefined) return null
  const question = 'approval' in part ? part.approval : undefined
  if (question?.approved === undefined) return ready === undefined ? null : end.at - ready.at
  const answer = events.find(
    ({ event, seq }) =>
      event.type === 'approval-answered' && String(event.approval) === question.id && seq < end.seq,
  )
  // Null if the answer is not among the loaded events.
  return answer === undefined ? null : end.at - Math.max(ready?.at ?? 0, answer.at)
}
