import type { FinishReason } from '../../protocol/chunk.ts'
import type { SessionTotals } from '../../protocol/data-parts.ts'
import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import { emptyMap } from '../kit/persistent-map.ts'
import { notice, type Op } from '../kit/parts.ts'
import { isSpeaking } from '../kit/parts/look.ts'
import { noTokens, numberOf, textOf, textsOf, fieldsOf, type Fields } from './messages.ts'
import { settle } from './spending.ts'
import {
  act,
  agentName,
  nothing,
  remember,
  type Amount,
  type Draft,
  type State,
  type Trouble,
} from './state.ts'

/** Ends an answer. An answer without a prompt does not end the one that we wait for. */
export function applyResult(draft: Draft, fields: Fields, raw: RawMessage): void {
  if (hasLostSession(fields)) return
  const { awaiting, prompt, ended } = draft.state
  const uuid = textOf(fields['uuid'])
  const isNew = uuid === null && (awaiting || isSpeaking(draft.state.parts))
  if (!isNew && ended === (uuid ?? raw.text)) return
  remember(draft, { ended: uuid ?? raw.text })
  const byItself = textOf(fieldsOf(fields['origin'])?.['kind']) === 'task-notification'
  settle(draft, fields)
  if (byItself && awaiting && prompt !== null && !answers(fields, prompt)) {
    act(draft, [{ type: 'step-end' }])
    return remember(draft, { held: fields })
  }
  finish(draft, fields)
}

/** Claude Code exits when it does not have the session to continue: no prompt was answered, so no answer is over. */
function hasLostSession(fields: Fields): boolean {
  const isUntouched = fields['is_error'] === true && fields['num_turns'] === 0
  return (
    isUntouched &&
    textsOf(fields['errors']).some(error => /^No (conversation|message) found with /.test(error))
  )
}

function answers(fields: Fields, prompt: string): boolean {
  return fields['user_message_uuid'] === prompt || textsOf(fields['user_message_uuids']).includes(prompt)
}

/** The end of a prompt. One that was cancelled, or joined a running answer, has no separate result. */
export function applyLifecycle(draft: Draft, fields: Fields): void {
  const { prompt, awaiting, held } = draft.state
  if (!awaiting || prompt === null || fields['command_uuid'] !== prompt) return
  if (fields['state'] === 'queued' || fields['state'] === 'started') remember(draft, { taken: true })
  if (fields['state'] === 'cancelled') return cancel(draft)
  if (fields['state'] === 'completed' && held !== null) finish(draft, held)
}

/** Earlier reports of background work are counted all the same. */
function cancel(draft: Draft): void {
  const { settled } = draft.state.spending
  const isNothing = settled === nothing
  const usage = isNothing ? [] : [usageOp(draft.state, settled)]
  end(draft, [...usage, { type: 'finish', reason: 'interrupted', ...(!isNothing && costsOf(settled)) }])
}

/** Our prompt is echoed. One that had not started was answered earlier, and is not run again. */
export function applyReplay(draft: Draft, uuid: string): void {
  const { prompt, awaiting, taken, parts } = draft.state
  if (!awaiting || taken || uuid !== prompt || isSpeaking(parts)) return
  const message = 'Claude Code has answered this prompt before, and does not run it again.'
  end(draft, [notice('warning', 'prompt-repeated', message), { type: 'finish', reason: 'finished' }])
}

function finish(draft: Draft, fields: Fields): void {
  const { state } = draft
  const { settled, totals } = state.spending
  const ending = endingOf(state, fields)
  end(draft, [
    { type: 'begin' },
    ...unseenText(state, fields, ending.reason === 'failed'),
    usageOp(state, settled),
    {
      type: 'finish',
      ...ending,
      ...costsOf(settled),
      ...durationOf(fields),
      metadata: { ...(totals !== null && { sessionTotals: jsonOf(totals) }), [agentName]: factsOf(fields) },
    },
  ])
}

function usageOp({ spending }: State, { tokens, cost }: Amount): Op {
  const data = { tokens, cost, model: spending.model }
  return { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }
}

const costsOf = ({ tokens, cost }: Amount) => ({ tokens, ...(cost !== null && { cost }) })

const jsonOf = ({ tokens, cost }: SessionTotals): Json => ({ tokens: tokens && { ...tokens }, cost })

/** Emits the last parts and clears the state of this answer. */
function end(draft: Draft, ops: readonly Op[]): void {
  act(draft, ops)
  const { spending } = draft.state
  remember(draft, {
    awaiting: false,
    held: null,
    seen: emptyMap(),
    questions: new Map(),
    spending: { ...spending, settled: nothing, done: noTokens, request: noTokens },
    stop: null,
    trouble: null,
    spoken: false,
  })
}

interface Verdict {
  readonly reason: 'finished' | 'interrupted' | 'failed'
  readonly finishReason?: FinishReason
  readonly error?: Trouble
}

/** A subtype `success` may still be an error; only `is_error` and the stop reason show it. */
function endingOf({ stop, trouble }: State, fields: Fields): Verdict {
  const why = textOf(fields['terminal_reason'])
  if (why?.startsWith('aborted_') === true) return { reason: 'interrupted' }
  if (fields['is_error'] === true) return { reason: 'failed', error: errorOf(fields, trouble) }
  const finishReason = finishReasons.get(textOf(fields['stop_reason']) ?? stop ?? '')
  return { reason: 'finished', ...(finishReason === undefined ? {} : { finishReason }) }
}

/** Why a model stopped, where its answer is incomplete. */
export const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
] as const)

function errorOf(fields: Fields, trouble: Trouble | null): Trouble {
  const seen = textsOf(fields['errors']).join('\n') || textOf(fields['result'])
  const kind =
    textOf(fields['api_error_type']) ?? textOf(fields['api_error']) ?? trouble?.kind ?? kindOf(fields)
  return { kind, message: seen || trouble?.message || 'Claude Code reported an error and did not say which.' }
}

function kindOf(fields: Fields): string {
  return textOf(fields['terminal_reason']) ?? textOf(fields['subtype']) ?? 'error'
}

/** The text of a result repeats the last text; it is shown only where there was none, as with some local commands. */
function unseenText({ spoken, trouble }: State, fields: Fields, failed: boolean): readonly Op[] {
  if (failed) return []
  if (trouble !== null) return [notice('error', trouble.kind, trouble.message)]
  const text = textOf(fields['result'])
  if (spoken || text === null || text === '' || fields['structured_output'] !== undefined) return []
  return [{ type: 'final', kind: 'text', key: 'result', text }]
}

function durationOf(fields: Fields): { readonly duration?: number } {
  const duration = numberOf(fields['duration_ms'])
  return duration === null ? {} : { duration }
}

/** Figures whose meaning only Claude Code knows: kept with ours, unchanged. */
function factsOf(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(([name]) => figures.has(name))
  return Object.fromEntries(kept)
}

const figures: ReadonlySet<string> = new Set([
  'subtype',
  'terminal_reason',
  'stop_reason',
  'num_turns',
  'duration_api_ms',
  'total_cost_usd',
  'usage',
  'modelUsage',
  'model_usage_since_last_result',
  'structured_output',
  'api_error_status',
])
