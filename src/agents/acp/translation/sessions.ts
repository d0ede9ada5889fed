import type { DataParts } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import { callIn, isSpeaking } from '../../kit/parts/look.ts'
import type { Op } from '../../kit/parts.ts'
import { emptyMap, getIn } from '../../kit/persistent-map.ts'
import { change, changeSeldom, emit, type AcpState, type Draft, type SessionState } from './state.ts'
import { noUsage } from './usage.ts'

/** The state of a session before its first message. */
export const initialSession: SessionState = {
  piece: null,
  pieces: 0,
  earlier: emptyMap(),
  calls: emptyMap(),
  terminals: emptyMap(),
  denied: [],
  usage: noUsage,
  trouble: null,
  compactions: new Map(),
}

/**
 * Runs an action in the session that a message belongs to. Messages of another session are not mixed into the answer:
 * they go to a separate thread, under a call that represents the session.
 */
export function inSession(draft: Draft, session: Json | undefined, work: () => void): void {
  const other = otherThan(draft.state, session)
  if (other === null) return work()
  const known = draft.state.seldom.others.get(other)
  if (known === undefined) introduce(draft, other)
  const own = sessionState(draft.state)
  change(draft, known ?? initialSession)
  changeSeldom(draft, { thread: other })
  work()
  const others = new Map(draft.state.seldom.others).set(other, sessionState(draft.state))
  change(draft, own)
  changeSeldom(draft, { thread: null, others })
}

function otherThan({ parts, seldom }: AcpState, session: Json | undefined): string | null {
  const { agentSession } = parts.session
  const isOther = typeof session === 'string' && session !== '' && agentSession !== null
  return isOther && seldom.thread === null && session !== agentSession ? session : null
}

function introduce(draft: Draft, session: string): void {
  const news = { description: `Session ${session}`, status: 'running' } as const
  emit(draft, [...beginning(draft.state), { type: 'subagent', call: session, news }])
}

/** The first message on a connection begins the answer that the connection was made for. */
export function beginning({ parts }: AcpState): readonly Op[] {
  return getIn(parts.threads, null) ? [] : [{ type: 'begin' }]
}

function sessionState(state: AcpState): SessionState {
  const { piece, pieces, earlier, calls, terminals, denied, usage, trouble, compactions } = state
  return { piece, pieces, earlier, calls, terminals, denied, usage, trouble, compactions }
}

/** Ends the threads of other sessions: the agent does not report their ends. */
export function endOthers(draft: Draft, status: DataParts['subagent']['status']): void {
  for (const id of draft.state.seldom.others.keys()) {
    if (!isSpeaking(draft.state.parts, id)) continue
    const isOpen = callIn(draft.state.parts, id)?.state === 'ready'
    const end: readonly Op[] = isOpen ? [{ type: 'result', call: id, output: null }] : []
    emit(draft, [{ type: 'subagent', call: id, news: { status } }, ...end])
  }
}
