import type { Json } from '../../../protocol/json.ts'
import type {
  CallPart,
  ContentPart,
  FilePart,
  Part,
  ReasoningPart,
  ResultPart,
  Role,
  TextPart,
} from '../conversation.ts'
import { express } from '../express.ts'
import { addressOf, isExact, isOnline } from '../file-source.ts'
import { fields, present } from '../look.ts'
import { argumentsOf, isPicture, nameless, rawOf } from '../openai-chat/serialize.ts'
import { isSound } from './faults.ts'
import { parseContent } from './parse.ts'

/** One part as a content part or an item of its own; null when responses has no place for it. */
export function serialize(part: Part, role: Role): Json | null {
  switch (part.kind) {
    case 'text':
      return saidText(part, role)
    case 'reasoning':
      return saidReasoning(part)
    case 'file':
      return role === 'assistant' || role === 'system' ? saidWords(part, role) : serializeFile(part)
    case 'call':
      return saidCall(part)
    case 'result':
      return saidResult(part)
    case 'unknown':
      return null
  }
}

function saidText({ text, isRefusal }: TextPart, role: Role): Json {
  if (role !== 'assistant') return { type: 'input_text', text }
  return isRefusal === true ? { type: 'refusal', refusal: text } : { type: 'output_text', text }
}

/** Only the user and tools show files: of others it is the words in them, if there are any. */
const saidWords = ({ id, source }: FilePart, role: Role): Json | null =>
  'text' in source ? saidText({ id, kind: 'text', text: source.text }, role) : null

/** Reasoning goes back only with OpenAI's own seal. */
function saidReasoning({ text, seal }: ReasoningPart): Json | null {
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

function saidCall(part: CallPart): Json {
  const isCustom = part.isCustom === true
  return fields({
    type: isCustom ? 'custom_tool_call' : 'function_call',
    id: part.seal?.provider === 'openai' ? part.seal.item : undefined,
    call_id: part.call,
    name: part.tool,
    ...(isCustom ? { input: rawOf(part) } : { arguments: argumentsOf(part) }),
  })
}

function saidResult({ id, call, content }: ResultPart): Json {
  const pieces = present(
    content.map((part, at) =>
      express<ContentPart>(part, {
        format: 'openai-responses',
        parse: json => parseContent(json, `${id}.${at}`),
        serialize: serializeContent,
        isSound: json => isSound(json, 'tool'),
      }),
    ),
  )
  return { type: 'function_call_output', call_id: call, output: outputOf(pieces) }
}

function outputOf(pieces: readonly Json[]): Json {
  const [only] = pieces
  if (only === undefined) return ''
  if (pieces.length === 1 && typeof only === 'string') return only
  return pieces.map(piece => (typeof piece === 'string' ? { type: 'input_text', text: piece } : piece))
}

function serializeContent(part: ContentPart): Json | null {
  switch (part.kind) {
    case 'json':
      return JSON.stringify(part.value)
    case 'text':
      return part.text
    case 'file':
      return serializeFile(part)
    case 'unknown':
      return null
  }
}
