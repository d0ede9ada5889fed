import type { RawMessage, Translation } from '../agent.ts'
import { showStrange, strangeIn } from '../kit/known-fields.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import { applyAssistant } from './assistant.ts'
import { applyHost, applyRequest, applyResponse } from './control.ts'
import { lines } from './known-fields.ts'
import { textOf, textsOf, fieldsOf, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { showLimits, usageLimit } from '../kit/usage-limit.ts'
import { applyLifecycle, applyResult } from './result.ts'
import { act, agentName, remember, type Draft, type State } from './state.ts'
import { applyStreamEvent } from './stream-event.ts'
import { applySystem } from './system.ts'
import { applyUser } from './user.ts'

export { initial, type State } from './state.ts'

/** Claude Code's lines, and ours to it, as chunks. The messages of the Agent SDK are the same, one object per line. */
export function translate(state: State, raw: RawMessage): Translation<State> {
  const draft: Draft = { state, chunks: [] }
  if (raw.from === 'host') applyHost(draft, raw)
  else applyAgent(draft, raw)
  return [draft.state, draft.chunks]
}

function applyAgent(draft: Draft, raw: RawMessage): void {
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return act(draft, [noticeOf(reading)])
  const fields = reading.value
  const kind = textOf(fields['type']) ?? 'untyped'
  const meaning = meanings.get(kind)
  if (meaning) meaning(draft, fields, raw)
  else act(draft, [unknownOf(agentName, kind, raw, fields)])
  const strange = strangeIn(lines, fields)
  if (strange.length > 0) applyStrange(draft, strange)
}

/** Fields of newer releases, which no code reads yet. */
function applyStrange(draft: Draft, strange: ReturnType<typeof strangeIn>): void {
  const { ops, shown } = showStrange(agentName, draft.state.shown, strange)
  remember(draft, { shown })
  if (ops.length > 0) act(draft, ops)
}

type Meaning = (draft: Draft, fields: Fields, raw: RawMessage) => void

const nothing: Meaning = () => undefined

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['stream_event', applyStreamEvent],
  ['assistant', applyAssistant],
  ['user', applyUser],
  ['system', applySystem],
  ['result', applyResult],
  ['control_request', applyRequest],
  ['control_response', applyResponse],
  ['command_lifecycle', applyLifecycle],
  ['rate_limit_event', applyRateLimit],
  ['auth_status', applyAuth],
  ['tool_use_summary', (draft, fields) => notify(draft, 'info', 'summary', fields['summary'])],
  ['prompt_suggestion', (draft, fields) => notify(draft, 'info', 'suggestion', fields['suggestion'])],
  ['conversation_reset', draft => notify(draft, 'info', 'reset', 'The conversation begins anew.')],
  // A heartbeat: its call is known, and it only means that time passes.
  ['tool_progress', nothing],
  ['control_cancel_request', nothing],
  ['keep_alive', nothing],
])

type Level = Parameters<typeof notice>[0]

function notify(draft: Draft, level: Level, code: string, message: Fields[string] | undefined): void {
  if (typeof message === 'string' && message !== '') act(draft, [notice(level, code, message)])
}

function applyRateLimit(draft: Draft, fields: Fields): void {
  const facts = fieldsOf(fields['rate_limit_info']) ?? {}
  const status = textOf(facts['status'])
  const kind = textOf(facts['rateLimitType'])
  const rejected = status === 'rejected'
  if (kind !== null) showLimit(draft, { kind, isReached: rejected }, facts)
  if (status === null || status === 'allowed') return
  const limit = (kind ?? 'usage').replaceAll('_', ' ')
  const state = rejected ? 'has been reached' : 'is nearly reached'
  notify(draft, rejected ? 'error' : 'warning', 'rate-limit', `The ${limit} limit ${state}.`)
}

const limitNames: ReadonlyMap<string, string> = new Map([
  ['five_hour', '5 hours'],
  ['seven_day', 'week'],
  ['seven_day_opus', 'week (Opus)'],
  ['seven_day_sonnet', 'week (Sonnet)'],
  ['overage', 'extra usage'],
])

/** Each kind of limit is reported alone. */
function showLimit(
  draft: Draft,
  { kind, isReached }: { readonly kind: string; readonly isReached: boolean },
  { utilization: used, resetsAt: resets }: Fields,
): void {
  const name = limitNames.get(kind) ?? kind.replaceAll('_', ' ')
  act(draft, [showLimits([usageLimit(name, { used, resets, isReached })], `limits-${kind}`)])
}

function applyAuth(draft: Draft, fields: Fields): void {
  notify(draft, 'error', 'login', fields['error'])
  notify(draft, 'info', 'login', textsOf(fields['output']).join('\n'))
}
