import type { DataParts } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import { callIn, isSpeaking } from '../../kit/parts/look.ts'
import type { Op } from '../../kit/parts.ts'
import { emptyMap, getIn } from '../../kit/persistent-map.ts'
import { change, changeScene, say, type AcpState, type Draft, type Voice } from './state.ts'
import { noUsage } from './usage.ts'

/** What is remembered of a session of which nothing was heard. */
export const unheard: Voice = {
  piece: null,
  pieces: 0,
  said: emptyMap(),
  calls: emptyMap(),
  terminals: emptyMap(),
  denied: [],
  usage: noUsage,
  trouble: null,
  compactions: new Map(),
}

/**
 * Does something in the session that it is about. Words of another session than ours are not mixed into the answer: they
 * are a thread of their own, under a call that stands for it.
 */
export function inSession(draft: Draft, session: Json | undefined, work: () => void): void {
  const other = otherThan(draft.state, session)
  if (other === null) return work()
  const known = draft.state.scene.others.get(other)
  if (known === undefined) introduce(draft, other)
  const own = voiceOf(draft.state)
  change(draft, known ?? unheard)
  changeScene(draft, { thread: other })
  work()
  const others = new Map(draft.state.scene.others).set(other, voiceOf(draft.state))
  change(draft, own)
  changeScene(draft, { thread: null, others })
}

function otherThan({ parts, scene }: AcpState, session: Json | undefined): string | null {
  const { agentSession } = parts.session
  const isOther = typeof session === 'string' && session !== '' && agentSession !== null
  return isOther && scene.thread === null && session !== agentSession ? session : null
}

function introduce(draft: Draft, session: string): void {
  const news = { description: `Session ${session}`, status: 'running' } as const
  say(draft, [...beginning(draft.state), { type: 'subagent', call: session, news }])
}

/** The first thing that is said on a connection begins the answer that it was made for. */
export function beginning({ parts }: AcpState): readonly Op[] {
  return getIn(parts.threads, null) ? [] : [{ type: 'begin' }]
}

function voiceOf(state: AcpState): Voice {
  const { piece, pieces, said, calls, terminals, denied, usage, trouble, compactions } = state
  return { piece, pieces, said, calls, terminals, denied, usage, trouble, compactions }
}

/** Ends what other sessions say: of their ends nobody tells. */
export function endOthers(draft: Draft, status: DataParts['subagent']['status']): void {
  for (const id of draft.state.scene.others.keys()) {
    if (!isSpeaking(draft.state.parts, id)) continue
    const isOpen = callIn(draft.state.parts, id)?.state === 'ready'
    const end: readonly Op[] = isOpen ? [{ type: 'result', call: id, output: null }] : []
    say(draft, [{ type: 'subagent', call: id, news: { status } }, ...end])
  }
}
