import type { ConnectionId } from '../../protocol/ids.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { initialParts } from '../kit/parts.ts'
import { isSpeaking } from '../kit/parts/look.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import { agentLine } from './lines.ts'
import { applyLoopLine } from './translation/apply-loop-line.ts'
import { applyWireEvent } from './translation/apply-wire-event.ts'
import { noTokens, note, emit, type Draft, type ModelState } from './translation/state.ts'
import { apiOf } from './wire/read-wire.ts'
import { initialWire } from './wire/wire-event.ts'

export type { ModelState } from './translation/state.ts'

/** The state before the first line of a connection; `agent` is the agent's display name. */
export function initial(connection: ConnectionId, agent = 'model'): ModelState {
  return {
    parts: initialParts(agent, connection),
    prices: null,
    current: null,
    responses: new Map(),
    inStep: new Set(),
    spent: noTokens,
    cost: null,
    spentBy: new Map(),
    outputs: new Map(),
  }
}

/**
 * The events of a model, and the lines of the loop around it, as chunks. Our own lines add nothing: the loop's lines
 * have what matters.
 */
export function translate(state: ModelState, raw: RawMessage): Translation<ModelState> {
  if (raw.from === 'host') return [state, []]
  const draft: Draft = { state, chunks: [] }
  apply(draft, raw)
  return [draft.state, draft.chunks]
}

const ourOwn = '{"dragoman":'

function apply(draft: Draft, raw: RawMessage): void {
  if (!raw.text.startsWith(ourOwn) || raw.cut === true) return applyEvent(draft, raw)
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return remark(draft, [noticeOf(reading)])
  const line = agentLine.safeParse(reading.value)
  if (line.success) return applyLoopLine(draft, line.data)
  const kind = JSON.stringify(reading.value['dragoman'])
  remark(draft, [unknownOf(draft.state.parts.session.agent, kind, raw, reading.value)])
}

function applyEvent(draft: Draft, raw: RawMessage): void {
  if (raw.cut === true) {
    const reading = readJson(raw)
    if (reading.type === 'unreadable') remark(draft, [noticeOf(reading)])
    return
  }
  if (draft.state.current !== null) return applyWireEvent(draft, draft.state.current, raw.text)
  applyBareEvent(draft, raw)
}

const bare = 'stream'

/** Events without a loop: a recording of a model's stream alone, each response a separate answer. */
function applyBareEvent(draft: Draft, raw: RawMessage): void {
  const api = apiOf(raw.text)
  if (api !== null && !draft.state.responses.has(bare)) {
    // Some services report the usage of a response after its end.
    if (api === 'openai-chat' && /"choices":\s*\[\s*\]/.test(raw.text)) return
    applyLoopLine(draft, { dragoman: 'begin', prompt: bare })
    applyLoopLine(draft, { dragoman: 'response', request: bare, thread: null, api })
    note(draft, { current: null })
  }
  if (!draft.state.responses.has(bare)) return
  applyWireEvent(draft, bare, raw.text)
  const { isComplete, stop, error } = draft.state.responses.get(bare)?.wire ?? initialWire('gemini')
  if (error !== null) applyLoopLine(draft, { dragoman: 'done', reason: 'failed', error, duration: 0 })
  else if (isComplete)
    applyLoopLine(draft, {
      dragoman: 'done',
      reason: 'finished',
      duration: 0,
      finishReason: stop?.reason ?? 'stop',
    })
}

type Ops = Parameters<typeof emit>[2]

/** Shows something outside the conversation: in the open answer, or in a separate one. */
function remark(draft: Draft, ops: Ops): void {
  const isOpen = isSpeaking(draft.state.parts)
  emit(draft, null, ops)
  if (!isOpen && isSpeaking(draft.state.parts))
    emit(draft, null, [{ type: 'finish', reason: 'finished', finishReason: 'other' }])
}
