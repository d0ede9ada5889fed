import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Express, Segment } from '../codec.ts'
import { present, textAt } from '../look.ts'
import { openaiRole } from '../openai-chat/role.ts'

const contents = ['input_text', 'output_text', 'refusal', 'input_image', 'input_file', 'input_audio']
const roles = ['system', 'developer', 'user', 'assistant']

/** The items of a segment: consecutive text is one message item, everything else is a separate item. */
export function putSegment(segment: Segment, express: Express): readonly Json[] {
  const { role, parts, message } = segment
  const native = message?.native?.format === 'openai-responses' ? message.native.json : undefined
  const pieces = present(parts.map(part => express(part, role)))
  const shell = { role: openaiRole(segment) }
  if (isObject(native)) return pieces.length === 0 ? [] : [withContent(native, pieces, role)]
  const [only] = pieces
  if (pieces.length === 1 && typeof only === 'string') return [only]
  const items: Json[] = []
  let words: Json[] = []
  const close = () => {
    if (words.length > 0) items.push(withContent(shell, words, role))
    words = []
  }
  for (const json of pieces)
    if (isContent(json)) words.push(json)
    else {
      close()
      items.push(json)
    }
  close()
  return items
}

const isContent = (json: Json) => typeof json === 'string' || contents.includes(textAt(json, 'type') ?? '')

function withContent(shell: JsonObject, pieces: readonly Json[], role: Segment['role']): JsonObject {
  const name = textAt(shell, 'role') ?? ''
  const [only] = pieces
  const isBare = shell['content'] === '' && pieces.length === 1 && typeof only === 'string'
  return {
    ...shell,
    role: roles.includes(name) ? name : role === 'tool' ? 'user' : role,
    content: isBare ? only : pieces.map(json => asContent(json, role)),
  }
}

const asContent = (json: Json, role: Segment['role']): Json =>
  typeof json === 'string' ? { type: role === 'assistant' ? 'output_text' : 'input_text', text: json } : json
