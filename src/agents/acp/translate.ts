import type { ConnectionId } from '../../protocol/ids.ts'
import type { Opening, RawMessage, Translation } from '../agent.ts'
import { nothingShown, strangeIn } from '../kit/known-fields.ts'
import { initialParts } from '../kit/parts.ts'
import { isSpeaking } from '../kit/parts/look.ts'
import { noticeOf, readJson } from '../kit/parse-json.ts'
import { lines } from './known-fields.ts'
import type { JsonObject } from './messages.ts'
import { mention, mentionStrange } from './translation/notices.ts'
import { applyOurs } from './translation/our-lines.ts'
import { isAnswering, emit, type AcpState, type Draft } from './translation/state.ts'
import { endOthers, initialSession } from './translation/sessions.ts'
import { applyTheirs } from './translation/their-lines.ts'

export type { AcpState } from './translation/state.ts'

/** The state before the first line of a connection; `agent` is the agent's display name. */
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
    seldom: {
      alone: true,
      thread: null,
      others: new Map(),
      shown: nothingShown,
      costBefore: opening?.totals?.cost ?? null,
    },
    ...initialSession,
  }
}

/** The lines of both directions as chunks. */
export function translate(state: AcpState, raw: RawMessage): Translation<AcpState> {
  const reading = readJson(raw)
  if (reading.type === 'object') return translateMessage(state, raw.from, reading.value)
  const draft: Draft = { state, chunks: [] }
  mention(draft, noticeOf(reading))
  return [draft.state, draft.chunks]
}

/** A message of either direction as chunks. */
export function translateMessage(
  state: AcpState,
  from: RawMessage['from'],
  message: JsonObject,
): Translation<AcpState> {
  const draft: Draft = { state, chunks: [] }
  if (from === 'host') applyOurs(draft, message)
  else {
    applyTheirs(draft, message)
    const strange = strangeIn(lines, message)
    if (strange.length > 0) mentionStrange(draft, strange)
  }
  if (!isAnswering(draft.state)) endUnasked(draft)
  return [draft.state, draft.chunks]
}

/** The agent does not report the end of an answer without a prompt, so each line ends it. */
function endUnasked(draft: Draft): void {
  endOthers(draft, 'completed')
  if (isSpeaking(draft.state.parts)) emit(draft, [{ type: 'finish', reason: 'finished' }])
}
