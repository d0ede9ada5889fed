import type { RawMessage, Translation } from '../agent.ts'
import { showStrange, strangeIn } from '../kit/known-fields.ts'
import { noticeOf, readJson, unknownOf } from '../kit/read-json.ts'
import { hearAssistant } from './assistant.ts'
import { hearHost, hearRequest, hearResponse } from './control.ts'
import { lines } from './known-fields.ts'
import { textOf, textsOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { hearLifecycle, hearResult } from './result.ts'
import { act, agentName, remember, type Draft, type State } from './state.ts'
import { hearStreamEvent } from './stream-event.ts'
import { hearSystem } from './system.ts'
import { hearUser } from './user.ts'

export { initial, type State } from './state.ts'

/** Claude Code's lines, and ours to it, as chunks. The messages of the Agent SDK are the same, one object a line. */
export function translate(state: State, raw: RawMessage): Translation<State> {
  const draft: Draft = { state, chunks: [] }
  if (raw.from === 'host') hearHost(draft, raw)
  else hearAgent(draft, raw)
  return [draft.state, draft.chunks]
}

function hearAgent(draft: Draft, raw: RawMessage): void {
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return act(draft, [noticeOf(reading)])
  const words = reading.value
  const kind = textOf(words['type']) ?? 'untyped'
  const meaning = meanings.get(kind)
  if (meaning) meaning(draft, words, raw)
  else act(draft, [unknownOf(agentName, kind, raw, words)])
  const strange = strangeIn(lines, words)
  if (strange.length > 0) hearStrange(draft, strange)
}

/** Fields that no release had before say something that nobody reads yet. */
function hearStrange(draft: Draft, strange: ReturnType<typeof strangeIn>): void {
  const { ops, shown } = showStrange(agentName, draft.state.shown, strange)
  remember(draft, { shown })
  if (ops.length > 0) act(draft, ops)
}

type Meaning = (draft: Draft, words: Words, raw: RawMessage) => void

const nothing: Meaning = () => undefined

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['stream_event', hearStreamEvent],
  ['assistant', hearAssistant],
  ['user', hearUser],
  ['system', hearSystem],
  ['result', hearResult],
  ['control_request', hearRequest],
  ['control_response', hearResponse],
  ['command_lifecycle', hearLifecycle],
  ['rate_limit_event', hearRateLimit],
  ['auth_status', hearAuth],
  ['tool_use_summary', (draft, words) => say(draft, 'info', 'summary', words['summary'])],
  ['prompt_suggestion', (draft, words) => say(draft, 'info', 'suggestion', words['suggestion'])],
  ['conversation_reset', draft => say(draft, 'info', 'reset', 'The conversation begins anew.')],
  // A heartbeat: its call is known, and what it says is only that time passes.
  ['tool_progress', nothing],
  ['control_cancel_request', nothing],
  ['keep_alive', nothing],
])

type Level = Parameters<typeof noticeOp>[0]

function say(draft: Draft, level: Level, code: string, message: Words[string] | undefined): void {
  if (typeof message === 'string' && message !== '') act(draft, [noticeOp(level, code, message)])
}

function hearRateLimit(draft: Draft, words: Words): void {
  const facts = wordsOf(words['rate_limit_info']) ?? {}
  const status = textOf(facts['status'])
  if (status === null || status === 'allowed') return
  const limit = (textOf(facts['rateLimitType']) ?? 'usage').replaceAll('_', ' ')
  const rejected = status === 'rejected'
  const state = rejected ? 'has been reached' : 'is nearly reached'
  say(draft, rejected ? 'error' : 'warning', 'rate-limit', `The ${limit} limit ${state}.`)
}

function hearAuth(draft: Draft, words: Words): void {
  say(draft, 'error', 'login', words['error'])
  say(draft, 'info', 'login', textsOf(words['output']).join('\n'))
}
