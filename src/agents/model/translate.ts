import type { ConnectionId } from '../../protocol/ids.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { initialParts } from '../kit/parts.ts'
import { isSpeaking } from '../kit/parts/look.ts'
import { noticeOf, readJson, unknownOf } from '../kit/read-json.ts'
import { agentLine } from './lines.ts'
import { hearLoop } from './translation/hear-loop.ts'
import { hearWire } from './translation/hear-wire.ts'
import { noTokens, note, say, type Draft, type ModelState } from './translation/state.ts'
import { apiOf } from './wire/read-wire.ts'
import { initialWire } from './wire/wire-event.ts'

export type { ModelState } from './translation/state.ts'

/** The state before the first line of a connection; `agent` is the name under which it is shown. */
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

/** The words of a model, and of the loop around it, as chunks. Our own lines add nothing: the loop tells what matters. */
export function translate(state: ModelState, raw: RawMessage): Translation<ModelState> {
  if (raw.from === 'host') return [state, []]
  const draft: Draft = { state, chunks: [] }
  hear(draft, raw)
  return [draft.state, draft.chunks]
}

const ourOwn = '{"dragoman":'

function hear(draft: Draft, raw: RawMessage): void {
  if (!raw.text.startsWith(ourOwn) || raw.cut === true) return hearModel(draft, raw)
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return remark(draft, [noticeOf(reading)])
  const line = agentLine.safeParse(reading.value)
  if (line.success) return hearLoop(draft, line.data)
  const kind = JSON.stringify(reading.value['dragoman'])
  remark(draft, [unknownOf(draft.state.parts.session.agent, kind, raw, reading.value)])
}

function hearModel(draft: Draft, raw: RawMessage): void {
  if (raw.cut === true) {
    const reading = readJson(raw)
    if (reading.type === 'unreadable') remark(draft, [noticeOf(reading)])
    return
  }
  if (draft.state.current !== null) return hearWire(draft, draft.state.current, raw.text)
  hearBare(draft, raw)
}

const bare = 'stream'

/** Words of a model that no loop told of: a recording of its stream alone, each response an answer of its own. */
function hearBare(draft: Draft, raw: RawMessage): void {
  const api = apiOf(raw.text)
  if (api !== null && !draft.state.responses.has(bare)) {
    // Some services tell what a response took after its end.
    if (api === 'openai-chat' && /"choices":\s*\[\s*\]/.test(raw.text)) return
    hearLoop(draft, { dragoman: 'begin', prompt: bare })
    hearLoop(draft, { dragoman: 'response', request: bare, thread: null, api })
    note(draft, { current: null })
  }
  if (!draft.state.responses.has(bare)) return
  hearWire(draft, bare, raw.text)
  const { isComplete, stop, error } = draft.state.responses.get(bare)?.wire ?? initialWire('gemini')
  if (error !== null) hearLoop(draft, { dragoman: 'done', reason: 'failed', error, duration: 0 })
  else if (isComplete)
    hearLoop(draft, {
      dragoman: 'done',
      reason: 'finished',
      duration: 0,
      finishReason: stop?.reason ?? 'stop',
    })
}

type Ops = Parameters<typeof say>[2]

/** Says something beside the conversation: in the answer that is open, or in one of its own. */
function remark(draft: Draft, ops: Ops): void {
  const isOpen = isSpeaking(draft.state.parts)
  say(draft, null, ops)
  if (!isOpen && isSpeaking(draft.state.parts))
    say(draft, null, [{ type: 'finish', reason: 'finished', finishReason: 'other' }])
}
