import type { FinishReason } from '../../protocol/chunk.ts'
import type { SessionTotals } from '../../protocol/data-parts.ts'
import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import { emptyMap } from '../kit/persistent-map.ts'
import type { Op } from '../kit/parts.ts'
import { isSpeaking } from '../kit/parts/look.ts'
import { noTokens, numberOf, textOf, textsOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
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

/** An answer is over. One that nobody asked for does not end the one that we wait for. */
export function hearResult(draft: Draft, words: Words, raw: RawMessage): void {
  if (hasLostSession(words)) return
  const { awaiting, prompt, ended } = draft.state
  const uuid = textOf(words['uuid'])
  const isNew = uuid === null && (awaiting || isSpeaking(draft.state.parts))
  if (!isNew && ended === (uuid ?? raw.text)) return
  remember(draft, { ended: uuid ?? raw.text })
  const byItself = textOf(wordsOf(words['origin'])?.['kind']) === 'task-notification'
  settle(draft, words)
  if (byItself && awaiting && prompt !== null && !answers(words, prompt)) {
    act(draft, [{ type: 'step-end' }])
    return remember(draft, { held: words })
  }
  finish(draft, words)
}

/** Claude Code ends when it does not have the session to continue: no prompt was answered, so no answer is over. */
function hasLostSession(words: Words): boolean {
  const isUntouched = words['is_error'] === true && words['num_turns'] === 0
  return (
    isUntouched &&
    textsOf(words['errors']).some(error => /^No (conversation|message) found with /.test(error))
  )
}

function answers(words: Words, prompt: string): boolean {
  return words['user_message_uuid'] === prompt || textsOf(words['user_message_uuids']).includes(prompt)
}

/** What became of a prompt. One that was called off, or taken into an answer that was running, has no result of its own. */
export function hearLifecycle(draft: Draft, words: Words): void {
  const { prompt, awaiting, held } = draft.state
  if (!awaiting || prompt === null || words['command_uuid'] !== prompt) return
  if (words['state'] === 'queued' || words['state'] === 'started') remember(draft, { taken: true })
  if (words['state'] === 'cancelled') return cancel(draft)
  if (words['state'] === 'completed' && held !== null) finish(draft, held)
}

/** What background work reported before is counted all the same. */
function cancel(draft: Draft): void {
  const { settled } = draft.state.spending
  const isNothing = settled === nothing
  const usage = isNothing ? [] : [usageOp(draft.state, settled)]
  end(draft, [...usage, { type: 'finish', reason: 'interrupted', ...(!isNothing && costsOf(settled)) }])
}

/** Our prompt comes back. One that was not taken up before that had been answered earlier, and is not run again. */
export function hearReplay(draft: Draft, uuid: string): void {
  const { prompt, awaiting, taken, parts } = draft.state
  if (!awaiting || taken || uuid !== prompt || isSpeaking(parts)) return
  const message = 'Claude Code has answered this prompt before, and does not run it again.'
  end(draft, [noticeOp('warning', 'prompt-repeated', message), { type: 'finish', reason: 'finished' }])
}

function finish(draft: Draft, words: Words): void {
  const { state } = draft
  const { settled, totals } = state.spending
  const ending = endingOf(state, words)
  end(draft, [
    { type: 'begin' },
    ...unsaid(state, words, ending.reason === 'failed'),
    usageOp(state, settled),
    {
      type: 'finish',
      ...ending,
      ...costsOf(settled),
      ...durationOf(words),
      metadata: { ...(totals !== null && { sessionTotals: jsonOf(totals) }), [agentName]: factsOf(words) },
    },
  ])
}

function usageOp({ spending }: State, { tokens, cost }: Amount): Op {
  const data = { tokens, cost, model: spending.model }
  return { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }
}

const costsOf = ({ tokens, cost }: Amount) => ({ tokens, ...(cost !== null && { cost }) })

const jsonOf = ({ tokens, cost }: SessionTotals): Json => ({ tokens: tokens && { ...tokens }, cost })

/** Says the last things and forgets what was remembered of this answer only. */
function end(draft: Draft, ops: readonly Op[]): void {
  act(draft, ops)
  const { spending } = draft.state
  remember(draft, {
    awaiting: false,
    held: null,
    told: emptyMap(),
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

/** A subtype `success` may still be an error; only `is_error` and the reason for the end tell. */
function endingOf({ stop, trouble }: State, words: Words): Verdict {
  const why = textOf(words['terminal_reason'])
  if (why?.startsWith('aborted_') === true) return { reason: 'interrupted' }
  if (words['is_error'] === true) return { reason: 'failed', error: errorOf(words, trouble) }
  const finishReason = finishReasons.get(textOf(words['stop_reason']) ?? stop ?? '')
  return { reason: 'finished', ...(finishReason === undefined ? {} : { finishReason }) }
}

/** Why a model stopped, where its answer is then not whole. */
export const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
] as const)

function errorOf(words: Words, trouble: Trouble | null): Trouble {
  const told = textsOf(words['errors']).join('\n') || textOf(words['result'])
  const kind = textOf(words['api_error_type']) ?? textOf(words['api_error']) ?? trouble?.kind ?? kindOf(words)
  return { kind, message: told || trouble?.message || 'Claude Code reported an error and did not say which.' }
}

function kindOf(words: Words): string {
  return textOf(words['terminal_reason']) ?? textOf(words['subtype']) ?? 'error'
}

/** The words of a result repeat the last text; shown only where there was none, as some local commands do. */
function unsaid({ spoken, trouble }: State, words: Words, failed: boolean): readonly Op[] {
  if (failed) return []
  if (trouble !== null) return [noticeOp('error', trouble.kind, trouble.message)]
  const text = textOf(words['result'])
  if (spoken || text === null || text === '' || words['structured_output'] !== undefined) return []
  return [{ type: 'final', kind: 'text', key: 'result', text }]
}

function durationOf(words: Words): { readonly duration?: number } {
  const duration = numberOf(words['duration_ms'])
  return duration === null ? {} : { duration }
}

/** Figures of which only Claude Code knows the meaning: kept beside ours, as they came. */
function factsOf(words: Words): Words {
  const kept = Object.entries(words).filter(([name]) => figures.has(name))
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
