import type { Json } from '../../protocol/json.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'

/**
 * A message of `opencode serve`: an event of its stream, or the answer to a request that we made because events were
 * missed. Only the envelope is read here; other fields are read where they are needed, so that unknown kinds and
 * fields do no harm.
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
