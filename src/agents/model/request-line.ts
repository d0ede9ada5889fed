import { createHash } from 'node:crypto'
import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { asObject, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'

/** The fields in which the APIs have the conversation. */
const conversations = ['messages', 'input', 'contents'] as const

/**
 * A request as it is stored: its body, without what the previous request in the same thread had already. Otherwise
 * each request would repeat the whole conversation, and a long one would fill the disk.
 */
export interface RequestLine {
  readonly dragoman: 'request'
  readonly request: string
  readonly thread: Thread
  /** Its address, without secrets. */
  readonly url: string
  /** The request whose beginning it repeats. */
  readonly after: string | null
  /** All fields of the body, in their order. */
  readonly fields: readonly string[]
  /** Those that are unchanged. */
  readonly same: readonly string[]
  /** How many elements of the conversation are unchanged; those that follow are in `body`. */
  readonly kept: number
  readonly body: Fields
  /** The hash of the whole body, as it was sent. */
  readonly sha256: string
}

/** The previous request, to find what is new. */
export interface Sent {
  readonly request: string
  readonly body: Fields
}

/** Makes the line of a request. */
export function requestLine(
  { request, thread, url, text }: { request: string; thread: Thread; url: string; text: string },
  before: Sent | null,
): RequestLine {
  const body = asObject(parseJson(text))
  const field = conversations.find(name => Array.isArray(body[name]))
  const same =
    before === null
      ? []
      : Object.keys(body).filter(name => name !== field && isSame(body[name], before.body[name]))
  const list = listIn(body, field)
  const kept = before === null ? 0 : commonLength(list, listIn(before.body, field))
  const left = Object.entries(body).filter(([name]) => !same.includes(name))
  const rest = Object.fromEntries(
    left.map(([name, value]) => [name, name === field ? list.slice(kept) : value]),
  )
  const sha256 = createHash('sha256').update(text).digest('hex')
  const after = before?.request ?? null
  const fields = Object.keys(body)
  return {
    dragoman: 'request',
    request,
    thread,
    url,
    after,
    fields,
    same,
    kept,
    body: rest,
    sha256,
  }
}

/** The whole body of a request, from its line and the body of the request whose beginning it repeats. */
export function wholeBody(
  line: Pick<RequestLine, 'fields' | 'same' | 'kept' | 'body'>,
  before: Fields,
): Fields {
  const { fields, same, kept, body } = line
  const valueOf = (name: string): Json => {
    if (same.includes(name)) return before[name] ?? null
    const isConversation = conversations.some(each => each === name) && Array.isArray(body[name])
    if (!isConversation) return body[name] ?? null
    return [...listIn(before, name).slice(0, kept), ...listIn(body, name)]
  }
  return Object.fromEntries(fields.map(name => [name, valueOf(name)]))
}

function listIn(body: Fields, field: string | undefined): readonly Json[] {
  const value = field === undefined ? null : body[field]
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

const isSame = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b)

function commonLength(a: readonly Json[], b: readonly Json[]): number {
  const at = a.findIndex((value, index) => !isSame(value, b[index]))
  return at === -1 ? a.length : at
}
