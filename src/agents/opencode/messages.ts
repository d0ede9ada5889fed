import type { Json } from '../../protocol/json.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'

/**
 * What `opencode serve` says: an event of its stream, or the answer to a request that we made because events were missed.
 * Only the envelope is read here; what is in it is looked at field by field where it is needed, so that kinds and fields that
 * nobody knows yet do no harm.
 */
export type Message =
  | { readonly type: 'event'; readonly kind: string; readonly properties: Fields }
  | { readonly type: 'answer'; readonly path: string; readonly response: Json }
  | { readonly type: 'unknown' }

const unknown: Message = { type: 'unknown' }

/** Reads the envelope of a line. */
export function readMessage(value: Fields): Message {
  const kind = value['type']
  if (typeof kind === 'string') return { type: 'event', kind, properties: objectOf(value, 'properties') }
  const { response } = value
  if (response !== undefined) return { type: 'answer', path: textOf(value, 'path'), response }
  return unknown
}
