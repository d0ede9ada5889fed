import type { FinishReason } from '../../../protocol/chunk.ts'
import type { Json } from '../../../protocol/json.ts'
import { holds } from '../../../protocol/linear-text.ts'
import { parseJson } from '../../kit/parse-json.ts'
import type { Ending } from '../../kit/parts/op.ts'
import { emptyMap } from '../../kit/persistent-map.ts'
import { isObject, objectOf, textOf, type JsonObject } from '../messages.ts'
import { closeDenied } from './denials.ts'
import { endOthers } from './sessions.ts'
import { change, emit, type Draft } from './state.ts'
import { nextAnswer, usageAtEnd } from './usage.ts'
import { endPiece } from './text.ts'

/** Begins an answer. */
export function beginAnswer(draft: Draft): void {
  if (draft.state.awaited) endPiece(draft)
  change(draft, { piece: null, earlier: emptyMap(), trouble: null, awaited: false })
  emit(draft, [{ type: 'begin' }])
}

/** Ends the answer with the agent's stop reason, and begins the next expected one. */
export function endAnswer(draft: Draft, result: JsonObject, reason: Reason): void {
  closeDenied(draft)
  endOthers(draft, reason.reason === 'finished' ? 'completed' : 'stopped')
  const { usage, parts, seldom } = draft.state
  const { show, facts } = usageAtEnd(usage, result, parts.session.model)
  const { totals, ...spent } = facts
  const { stopReason } = result
  const metadata = {
    ...(totals !== undefined && { sessionTotals: totals }),
    acp: { ...(stopReason === undefined ? {} : { stopReason }), ...facts.metadata },
  }
  emit(draft, [...show, { type: 'finish', ...spent, ...reason, metadata }])
  change(draft, { usage: nextAnswer(usage), trouble: null, awaited: seldom.alone })
}

type Reason = Pick<Ending, 'reason' | 'finishReason' | 'error'>

const finishReasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  refusal: 'content-filter',
}

/** Why an answer ended, from the agent's stop reason. */
export function reasonOf(draft: Draft, result: JsonObject): Reason {
  const stopReason = textOf(result['stopReason']) ?? 'end_turn'
  const { trouble, piece } = draft.state
  if (stopReason === 'cancelled') return { reason: 'interrupted' }
  if (stopReason === 'max_turn_requests') return { reason: 'failed', error: tooManyRequests }
  if (stopReason === 'error') return failureOf(result['error'] ?? null)
  if (stopReason !== 'end_turn')
    return { reason: 'finished', finishReason: finishReasons[stopReason] ?? 'other' }
  if (trouble === null) return { reason: 'finished' }
  const message = piece?.text.trim() ?? ''
  return { reason: 'failed', error: { kind: trouble, message: innerMessage(message) || 'The agent failed.' } }
}

const tooManyRequests = {
  kind: 'max_turn_requests',
  message: 'The agent stopped: it reached the number of model requests that one prompt may take.',
}

const cancelled = -32800

/** Why an answer failed, from a JSON-RPC error. */
export function failureOf(error: Json): Reason {
  const { code, message, data } = objectOf(error)
  if (code === cancelled) return { reason: 'interrupted' }
  const more = objectOf(data)
  const kind = textOf(more['errorKind']) ?? textOf(more['errorName']) ?? JSON.stringify(code ?? 'unknown')
  const earlier = textOf(message) ?? ''
  const details = textOf(more['details'])
  const text = details !== undefined && !holds(earlier, details) ? details : innerMessage(earlier)
  return { reason: 'failed', error: { kind, message: text || 'The agent failed and did not say why.' } }
}

/** Some agents pass on the body of the model's response; people need the sentence in it. */
function innerMessage(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return text
  const parsed = parseJson(text)
  const body = objectOf(Array.isArray(parsed) ? (parsed as readonly Json[])[0] : parsed)
  const error = isObject(body['error']) ? body['error'] : body
  return textOf(error['message']) ?? text
}
