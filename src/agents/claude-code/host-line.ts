import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { DragomanError } from '../../protocol/error.ts'
import type { PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { refusal } from './messages.ts'

/** A control request to Claude Code. */
export function requestLine(id: string, request: { readonly subtype: string; readonly [key: string]: Json }) {
  return JSON.stringify({ type: 'control_request', request_id: id, request })
}

/** Our answer to a control request of Claude Code. */
export function responseLine(id: string, response: Json): string {
  return JSON.stringify({
    type: 'control_response',
    response: { subtype: 'success', request_id: id, response },
  })
}

/** Our refusal of an unsupported request. */
export function refusalLine(id: string, subtype: string): string {
  const error = `${refusal} "${subtype}".`
  return JSON.stringify({ type: 'control_response', response: { subtype: 'error', request_id: id, error } })
}

/** A prompt. Claude Code runs one of the same uuid only once. */
export function promptLine(prompt: PromptId, parts: readonly PromptPart[]): string {
  return JSON.stringify({
    type: 'user',
    uuid: uuidOf(prompt),
    session_id: '',
    parent_tool_use_id: null,
    message: { role: 'user', content: parts.map(blockOf) },
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The uuid of a prompt: its own id if that is one, and otherwise always the same for the same id. */
export function uuidOf(prompt: PromptId): string {
  if (uuid.test(prompt)) return prompt
  const hash = createHash('sha256').update(prompt).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function blockOf(part: PromptPart): Json {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { url, mediaType } = part
  if (url.startsWith('file:')) return { type: 'text', text: `@${fileURLToPath(url)}` }
  if (pictures.has(mediaType)) return { type: 'image', source: sourceOf(url, mediaType) }
  if (mediaType === 'application/pdf')
    return { type: 'document', source: sourceOf(url, mediaType), ...titleOf(part.filename) }
  if (mediaType.startsWith('text/') && url.startsWith('data:')) {
    const source = { type: 'text', media_type: 'text/plain', data: textIn(url) }
    return { type: 'document', source, ...titleOf(part.filename) }
  }
  throw new DragomanError(
    'invalid-input',
    `Claude Code accepts images (PNG, JPEG, GIF, WebP), PDF and text, but not ${mediaType}.`,
  )
}

function sourceOf(url: string, mediaType: string): Json {
  if (!url.startsWith('data:')) return { type: 'url', url }
  return { type: 'base64', media_type: mediaType, data: bytesIn(url).toString('base64') }
}

/** The bytes of a data URL, in either encoding. */
function bytesIn(url: string): Buffer {
  const comma = url.indexOf(',')
  const body = decoded(url.slice(comma + 1))
  return url.slice(0, comma).endsWith(';base64') ? Buffer.from(body, 'base64') : Buffer.from(body, 'latin1')
}

function textIn(url: string): string {
  const comma = url.indexOf(',')
  const isEncoded = url.slice(0, comma).endsWith(';base64')
  return isEncoded ? bytesIn(url).toString('utf8') : decoded(url.slice(comma + 1))
}

function decoded(body: string): string {
  try {
    return decodeURIComponent(body)
  } catch {
    throw new DragomanError('invalid-input', `"${body.slice(0, 40)}…" is not a valid data URL.`)
  }
}

function titleOf(filename: string | undefined): { readonly title?: string } {
  return filename === undefined ? {} : { title: filename }
}
