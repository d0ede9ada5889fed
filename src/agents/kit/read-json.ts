import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import { isNestedTooDeep, parseJson } from './parse-json.ts'
import type { Op } from './parts.ts'

/** A native message read as a JSON object, or the reason why it is none. */
export type Reading =
  | { readonly type: 'object'; readonly value: Readonly<Record<string, Json>> }
  | {
      readonly type: 'unreadable'
      readonly code: 'not-json' | 'not-an-object' | 'line-too-long' | 'nested-too-deep'
      readonly message: string
      /** What there is of a line that is too long. */
      readonly beginning?: string
    }

/** Reads a native message that should be a JSON object, whole or shortened. Never throws, whatever the agent wrote. */
export function readJson({ from, text, cut }: RawMessage): Reading {
  const value = parseJson(text)
  if (cut === true && value === undefined) {
    const reading = unreadable('line-too-long', 'The agent wrote a line too long to read; it is kept whole.')
    return from === 'agent' ? { ...reading, beginning: text } : reading
  }
  if (value === undefined && isNestedTooDeep(text))
    return unreadable('nested-too-deep', 'The agent wrote a line nested too deep to read; it is kept.')
  if (value === undefined)
    return unreadable('not-json', `The agent wrote a line that is no JSON: ${shortened(text)}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unreadable('not-an-object', `The agent wrote a line that is no JSON object: ${shortened(text)}`)
  return { type: 'object', value: value as Readonly<Record<string, Json>> }
}

type Unreadable = Extract<Reading, { readonly type: 'unreadable' }>

function unreadable(code: Unreadable['code'], message: string): Unreadable {
  return { type: 'unreadable', code, message }
}

const shownLength = 200

function shortened(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`
}

/** Shows that a line could not be read; the answer goes on. */
export function noticeOf({ code, message, beginning }: Unreadable): Op {
  const chunk = { type: 'data-notice', data: { level: 'warning', code, message } } as const
  return beginning === undefined ? { type: 'show', chunk } : { type: 'unread', chunk, beginning }
}

const nativeLimit = 64 * 1024

/** Shows a message of a kind that a translator does not know. A very long one is shown by its beginning. */
export function unknownOf(agent: string, kind: string, raw: RawMessage, value: Json): Op {
  const native = raw.text.length <= nativeLimit ? value : shortened(raw.text)
  return { type: 'show', chunk: { type: 'data-unknown', data: { agent, kind, native } } }
}
