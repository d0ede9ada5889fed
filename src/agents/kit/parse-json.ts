import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import type { Op } from './parts/op.ts'

/** Values nested deeper than this are refused: writing them out again would overflow the stack. */
const nestingLimit = 1_000

/** Parses JSON that may be hostile; undefined if it is not JSON, or nested too deeply to be handled safely. */
export function parseJson(text: string): Json | undefined {
  if (isNestedTooDeep(text)) return undefined
  try {
    // Editors on Windows put a byte order mark before the first line.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as Json
  } catch {
    return undefined
  }
}

/** Whether a JSON text is nested deeper than is safe. */
export function isNestedTooDeep(text: string): boolean {
  // Each level takes two characters, so most lines are too short to check.
  if (text.length <= nestingLimit * 2) return false
  // Lines with few brackets need no check either, and counting is quick.
  if (countOf(text, '{') + countOf(text, '[') <= nestingLimit) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '[' || char === '{') depth += 1
    else if (char === ']' || char === '}') depth -= 1
    if (depth > nestingLimit) return true
  }
  return false
}

/** How often a character occurs in a text, up to the limit. */
function countOf(text: string, char: string): number {
  let count = 0
  for (let at = text.indexOf(char); at !== -1 && count <= nestingLimit; at = text.indexOf(char, at + 1))
    count += 1
  return count
}

/** The end of the string that begins at a quote; brackets inside strings do not count. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at === -1 ? text.length : at
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0
  while (text[quote - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}

/** A native message read as a JSON object, or the reason why it could not be read. */
export type Reading =
  | { readonly type: 'object'; readonly value: Readonly<Record<string, Json>> }
  | {
      readonly type: 'unreadable'
      readonly code: 'not-json' | 'not-an-object' | 'line-too-long' | 'nested-too-deep'
      readonly message: string
      /** The beginning of a line that is too long. */
      readonly beginning?: string
    }

/** Reads a native message that should be a JSON object, whole or shortened. Never throws, whatever the agent wrote. */
export function readJson({ from, text, cut, parsed }: RawMessage): Reading {
  const value = parsed === undefined ? parseJson(text) : parsed
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

/** Shows that a line could not be read; the answer continues. */
export function noticeOf({ code, message, beginning }: Unreadable): Op {
  const chunk = { type: 'data-notice', data: { level: 'warning', code, message } } as const
  return beginning === undefined ? { type: 'show', chunk } : { type: 'unread', chunk, beginning }
}

const nativeLimit = 64 * 1024

/** Shows a message of an unknown kind. Of a very long one, only the beginning is shown. */
export function unknownOf(agent: string, kind: string, raw: RawMessage, value: Json): Op {
  const native = raw.text.length <= nativeLimit ? value : shortened(raw.text)
  return { type: 'show', chunk: { type: 'data-unknown', data: { agent, kind, native } } }
}
