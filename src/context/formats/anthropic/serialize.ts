import { isObject, type Json } from '../../../protocol/json.ts'
import type { CallPart, FilePart, Part, ReasoningPart, ResultPart, Role } from '../conversation.ts'
import { fields } from '../look.ts'
import {
  serializeContent,
  serializePart,
  type ContentSerializers,
  type PartSerializers,
} from '../serializers.ts'
import { isSoundInside } from './faults.ts'
import { parseContent } from './parse.ts'
import { serializeFile } from './files.ts'
import { serializeText } from './passages.ts'

/** One part as a content block of a role; null when Anthropic would refuse it. */
export const serialize = (part: Part, role: Role): Json | null =>
  role === 'system' && part.kind !== 'text' && part.kind !== 'file' ? null : serializePart(parts, part, role)

const parts: PartSerializers = {
  text: serializeText,
  reasoning: serializeThinking,
  file: (part, role) =>
    role === 'system' || role === 'assistant' ? serializeFileText(part) : serializeFile(part),
  call: serializeCall,
  result: serializeResult,
}

/** Only the user can send files. Of other roles only the text of a file is sent. */
const serializeFileText = ({ source }: FilePart): Json | null =>
  'text' in source && source.text.trim() !== '' ? { type: 'text', text: source.text } : null

/** Thinking goes back only with Anthropic's own seal. */
function serializeThinking({ text, seal }: ReasoningPart): Json | null {
  if (seal?.provider !== 'anthropic') return null
  if (seal.encrypted !== undefined) return { type: 'redacted_thinking', data: seal.encrypted }
  const isSigned = seal.signature !== undefined && seal.signature !== ''
  return !isSigned ? null : { type: 'thinking', thinking: text, signature: seal.signature }
}

function serializeCall({ call, tool, input }: CallPart): Json {
  return { type: 'tool_use', id: call, name: tool, input: isObject(input) ? input : { input } }
}

const content: ContentSerializers = {
  format: 'anthropic-messages',
  parse: parseContent,
  text: part => serializeText(part, 'tool'),
  json: ({ value }) => ({ type: 'text', text: JSON.stringify(value) }),
  file: serializeFile,
  isSound: isSoundInside,
}

function serializeResult({ id, call, content: pieces, isError }: ResultPart): Json {
  const blocks = serializeContent(content, pieces, id)
  const [only] = blocks
  const text = blocks.length === 1 && typeof only === 'string' ? only : blocks.map(asBlock)
  return fields({
    type: 'tool_result',
    tool_use_id: call,
    content: blocks.length === 0 ? undefined : text,
    is_error: isError ? true : undefined,
  })
}

/** A bare string is a text block. */
export const asBlock = (json: Json): Json => (typeof json === 'string' ? { type: 'text', text: json } : json)
