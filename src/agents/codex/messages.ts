import type { Json } from '../../protocol/json.ts'
import { numberOf, objectOf, textOf, type Fields } from '../kit/fields.ts'

/**
 * A line of the app-server: JSON-RPC without its version. Only the envelope is read here; what is in it is looked at field by
 * field where it is needed, so that kinds and fields that nobody knows yet do no harm.
 */
export type Message =
  | {
      readonly type: 'notification'
      readonly method: string
      readonly params: Fields
      /** When it was said, in milliseconds of the app-server's clock; 0 when it does not tell. */
      readonly at: number
    }
  | { readonly type: 'request'; readonly id: Json; readonly method: string; readonly params: Fields }
  | { readonly type: 'answer'; readonly result: Fields }
  | { readonly type: 'refusal'; readonly message: string }
  | { readonly type: 'unknown' }

const unknown: Message = { type: 'unknown' }

/** Reads the envelope of a line. */
export function readMessage(value: Fields): Message {
  const { method, id } = value
  if (typeof method === 'string') {
    const params = objectOf(value, 'params')
    if (id === undefined) return { type: 'notification', method, params, at: numberOf(value, 'emittedAtMs') }
    return { type: 'request', id, method, params }
  }
  if (id === undefined) return unknown
  if ('error' in value) return { type: 'refusal', message: textOf(objectOf(value, 'error'), 'message') }
  return { type: 'answer', result: objectOf(value, 'result') }
}
