import type { Json } from '../../../protocol/json.ts'
import type { CallPart, FilePart, Part, ResultPart, Role, TextPart } from '../conversation.ts'
import { addressOf, images, isExact, isOnline } from '../file-source.ts'
import { fields } from '../look.ts'
import {
  contentOf,
  serializeContent,
  serializePart,
  type ContentSerializers,
  type PartSerializers,
} from '../serializers.ts'
import { isSound } from './find-invalid.ts'
import { parseContent } from './parse.ts'
import { isOld } from './old-calls.ts'

/** One part as a content part, a tool call or a whole tool message; null when chat has no place for it. */
export const serialize = (part: Part, role: Role): Json | null => serializePart(parts, part, role)

const parts: PartSerializers = {
  text: serializeText,
  reasoning: () => null,
  file: (part, role) => (role === 'user' ? serializeFile(part) : serializeFileText(part)),
  call: serializeCall,
  result: serializeResult,
}

function serializeText({ text, isRefusal }: TextPart, role: Role): Json {
  return isRefusal === true && role === 'assistant'
    ? { type: 'refusal', refusal: text }
    : { type: 'text', text }
}

/** Only the user can send files. Of other roles only the text of a file is sent. */
const serializeFileText = ({ source }: FilePart): Json | null =>
  'text' in source ? { type: 'text', text: source.text } : null

function serializeFile({ mediaType, source, name, detail }: FilePart): Json | null {
  if ('text' in source) return { type: 'text', text: source.text }
  if ('reference' in source)
    return source.provider === 'openai'
      ? { type: 'file', file: fields({ file_id: source.reference, filename: name }) }
      : null
  if ('url' in source ? !isOnline(source.url) : !isExact(mediaType)) return null
  const address = addressOf(source, mediaType)
  if (address === undefined) return null
  if (mediaType.startsWith('image/'))
    return isPicture(mediaType)
      ? { type: 'image_url', image_url: fields({ url: address, detail: closeness(detail) }) }
      : null
  if ('url' in source) return null
  if (/^audio\/(wav|mp3)$/.test(mediaType))
    return { type: 'input_audio', input_audio: { data: source.data, format: mediaType.slice(6) } }
  return mediaType === 'application/pdf'
    ? { type: 'file', file: { filename: name ?? nameless, file_data: address } }
    : null
}

/** Only the responses format has pictures in their original size. */
const closeness = (detail: string | undefined) => (detail === 'original' ? undefined : detail)

/** Whether OpenAI can read a picture, as far as its type is known. */
export const isPicture = (mediaType: string): boolean => !isExact(mediaType) || images.test(mediaType)

/** The name of a document without one: OpenAI requires a name. */
export const nameless = 'document.pdf'

/** The exact bytes of the arguments where they are known. */
export const argumentsOf = ({ input, inputText }: CallPart): string => inputText ?? JSON.stringify(input)

/** The input of a custom tool. */
export const rawOf = ({ input, inputText }: CallPart): string =>
  inputText ?? (typeof input === 'string' ? input : JSON.stringify(input))

function serializeCall(part: CallPart): Json {
  if (part.isCustom === true)
    return { id: part.call, type: 'custom', custom: { name: part.tool, input: rawOf(part) } }
  const asked = { name: part.tool, arguments: argumentsOf(part) }
  return isOld(part) ? { function_call: asked } : { id: part.call, type: 'function', function: asked }
}

/** Tool messages hold texts only. */
const content: ContentSerializers = {
  format: 'openai-chat',
  parse: parseContent,
  text: ({ text }) => text,
  json: ({ value }) => JSON.stringify(value),
  file: ({ source }) => ('text' in source ? source.text : null),
  isSound: json => isSound(json, 'tool'),
}

function serializeResult(part: ResultPart): Json {
  const text = contentOf(serializeContent(content, part.content, part.id), 'text')
  return isOld(part)
    ? { role: 'function', name: part.tool, content: text }
    : { role: 'tool', tool_call_id: part.call, content: text }
}
