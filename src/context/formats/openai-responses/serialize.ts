import type { Json } from '../../../protocol/json.ts'
import type { CallPart, FilePart, Part, ReasoningPart, ResultPart, Role, TextPart } from '../conversation.ts'
import { addressOf, isExact, isOnline } from '../file-source.ts'
import { fields } from '../look.ts'
import {
  contentOf,
  serializeContent,
  serializePart,
  type ContentSerializers,
  type PartSerializers,
} from '../serializers.ts'
import { argumentsOf, isPicture, nameless, rawOf } from '../openai-chat/serialize.ts'
import { isSound } from './faults.ts'
import { parseContent } from './parse.ts'

/** One part as a content part or a separate item; null when the responses format has no place for it. */
export const serialize = (part: Part, role: Role): Json | null => serializePart(parts, part, role)

const parts: PartSerializers = {
  text: serializeText,
  reasoning: serializeReasoning,
  file: (part, role) =>
    role === 'assistant' || role === 'system' ? serializeFileText(part, role) : serializeFile(part),
  call: serializeCall,
  result: serializeResult,
}

function serializeText({ text, isRefusal }: TextPart, role: Role): Json {
  if (role !== 'assistant') return { type: 'input_text', text }
  return isRefusal === true ? { type: 'refusal', refusal: text } : { type: 'output_text', text }
}

/** Only the user and tools can send files. Of other roles only the text of a file is sent. */
const serializeFileText = ({ id, source }: FilePart, role: Role): Json | null =>
  'text' in source ? serializeText({ id, kind: 'text', text: source.text }, role) : null

/** Reasoning goes back only with OpenAI's own seal. */
function serializeReasoning({ text, seal }: ReasoningPart): Json | null {
  if (seal?.provider !== 'openai') return null
  return fields({
    type: 'reasoning',
    id: seal.item,
    summary: text === '' ? [] : text.split('\n\n').map(piece => ({ type: 'summary_text', text: piece })),
    encrypted_content: seal.encrypted,
  })
}

function serializeFile({ mediaType, source, name, detail }: FilePart): Json | null {
  const isImage = mediaType.startsWith('image/')
  if ('text' in source) return { type: 'input_text', text: source.text }
  if ('reference' in source) {
    if (source.provider !== 'openai') return null
    return fields({
      type: isImage ? 'input_image' : 'input_file',
      file_id: source.reference,
      filename: isImage ? undefined : name,
      detail: isImage ? detail : undefined,
    })
  }
  if ('url' in source ? !isOnline(source.url) : !isExact(mediaType)) return null
  const address = addressOf(source, mediaType)
  if (address === undefined) return null
  if (isImage)
    return isPicture(mediaType) ? fields({ type: 'input_image', image_url: address, detail }) : null
  if (mediaType !== 'application/pdf') return null
  if ('url' in source) return fields({ type: 'input_file', file_url: address, filename: name })
  return { type: 'input_file', filename: name ?? nameless, file_data: address }
}

function serializeCall(part: CallPart): Json {
  const isCustom = part.isCustom === true
  return fields({
    type: isCustom ? 'custom_tool_call' : 'function_call',
    id: part.seal?.provider === 'openai' ? part.seal.item : undefined,
    call_id: part.call,
    name: part.tool,
    ...(isCustom ? { input: rawOf(part) } : { arguments: argumentsOf(part) }),
  })
}

const content: ContentSerializers = {
  format: 'openai-responses',
  parse: parseContent,
  text: ({ text }) => text,
  json: ({ value }) => JSON.stringify(value),
  file: serializeFile,
  isSound: json => isSound(json, 'tool'),
}

function serializeResult({ id, call, content: pieces }: ResultPart): Json {
  const output = contentOf(serializeContent(content, pieces, id), 'input_text')
  return { type: 'function_call_output', call_id: call, output }
}
