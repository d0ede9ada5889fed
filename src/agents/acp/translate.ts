import type { ConnectionId } from '../../protocol/ids.ts'
import type { Opening, RawMessage, Translation } from '../agent.ts'
import { nothingShown, strangeIn } from '../kit/known-fields.ts'
import { initialParts } from '../kit/parts.ts'
import { isSpeaking } from '../kit/parts/look.ts'
import { noticeOf, readJson } from '../kit/read-json.ts'
import { lines } from './known-fields.ts'
import type { JsonObject } from './messages.ts'
import { mention, mentionStrange } from './translation/notices.ts'
import { hearOurs } from './translation/our-lines.ts'
import { isAnswering, say, type AcpState, type Draft } from './translation/state.ts'
import { endOthers, unheard } from './translation/sessions.ts'
import { hearTheirs } from './translation/their-lines.ts'

export type { AcpState } from './translation/state.ts'

/** The state before the first line of a connection; `agent` is the name under which it is shown. */
export function initial(connection: ConnectionId, agent = 'acp', opening?: Opening): AcpState {
  return {
    parts: initialParts(agent, connection),
    peer: null,
    asked: new Map(),
    questions: new Map(),
    served: new Map(),
    prompts: [],
    working: false,
    replaying: false,
    awaited: true,
    scene: {
      alone: true,
      thread: null,
      others: new Map(),
      shown: nothingShown,
      costBefore: opening?.totals?.cost ?? null,
    },
    ...unheard,
  }
}

/** The lines of both sides as chunks. */
export function translate(state: AcpState, raw: RawMessage): Translation<AcpState> {
  const reading = readJson(raw)
  if (reading.type === 'object') return translateMessage(state, raw.from, reading.value)
  const draft: Draft = { state, chunks: [] }
  mention(draft, noticeOf(reading))
  return [draft.state, draft.chunks]
}

/** A message of either side as chunks. */
export function translateMessage(
  state: AcpState,
  from: RawMessage['from'],
  message: JsonObject,
): Translation<AcpState> {
  const draft: Draft = { state, chunks: [] }
  if (from === 'host') hearOurs(draft, message)
  else {
    hearTheirs(draft, message)
    const strange = strangeIn(lines, message)
    if (strange.length > 0) mentionStrange(draft, strange)
  }
  if (!isAnswering(draft.state)) endUnasked(draft)
  return [draft.state, draft.chunks]
}

/** Nobody will say that an answer which nobody asked for is over, so it is over with each line. */
function endUnasked(draft: Draft): void {
  endOthers(draft, 'completed')
  if (isSpeaking(draft.state.parts)) say(draft, [{ type: 'finish', reason: 'finished' }])
}
