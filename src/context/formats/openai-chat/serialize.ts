import type { Json } from '../../../protocol/json.ts'
import type { CallPart, ContentPart, FilePart, Part, ResultPart, Role, TextPart } from '../conversation.ts'
import { express } from '../express.ts'
import { addressOf, images, isExact, isOnline } from '../file-source.ts'
import { fields, present } from '../look.ts'
import { isSound } from './find-invalid.ts'
import { parseContent } from './parse.ts'
import { isOld } from './old-calls.ts'

/** One part as a content part, a tool call or a whole tool message; null when chat has no place for it. */
export function serialize(part: Part, role: Role): Json | null {
  switch (part.kind) {
    case 'text':
      return saidText(part, role)
    case 'file':
      return role === 'user' ? serializeFile(part) : saidWords(part)
    case 'call':
      return saidCall(part)
    case 'result':
      return saidResult(part)
    case 'reasoning':
    case 'unknown':
      return null
  }
}

const saidText = ({ text, isRefusal }: TextPart, role: Role): Json =>
  isRefusal === true && role === 'assistant' ? { type: 'refusal', refusal: text } : { type: 'text', text }

/** Only the user shows files: of others it is the words in them, if there are any. */
const saidWords = ({ source }: FilePart): Json | null =>
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

/** Only responses look at a picture in its original size. */
const closeness = (detail: string | undefined) => (detail === 'original' ? undefined : detail)

/** Whether OpenAI can look at a picture, as far as its kind is known. */
export const isPicture = (mediaType: string): boolean => !isExact(mediaType) || images.test(mediaType)

/** What a document without a name is called: OpenAI takes none without. */
export const nameless = 'document.pdf'

/** The exact bytes of the arguments where they are known. */
export const argumentsOf = ({ input, inputText }: CallPart): string => inputText ?? JSON.stringify(input)

/** What a custom tool is asked with. */
export const rawOf = ({ input, inputText }: CallPart): string =>
  inputText ?? (typeof input === 'string' ? input : JSON.stringify(input))

function saidCall(part: CallPart): Json {
  if (part.isCustom === true)
    return { id: part.call, type: 'custom', custom: { name: part.tool, input: rawOf(part) } }
  const asked = { name: part.tool, arguments: argumentsOf(part) }
  return isOld(part) ? { function_call: asked } : { id: part.call, type: 'function', function: asked }
}

function saidResult(part: ResultPart): Json {
  const { id, call, tool, content } = part
  const pieces = present(
    content.map((piece, at) =>
      express<ContentPart>(piece, {
        format: 'openai-chat',
        parse: json => parseContent(json, `${id}.${at}`),
        serialize: serializeContent,
        isSound: json => isSound(json, 'tool'),
      }),
    ),
  )
  const said = contentOf(pieces)
  return isOld(part)
    ? { role: 'function', name: tool, content: said }
    : { role: 'tool', tool_call_id: call, content: said }
}

/** A single plain text is a string. */
export function contentOf(pieces: readonly Json[]): Json {
  const [only] = pieces
  if (only === undefined) return ''
  if (pieces.length === 1 && typeof only === 'string') return only
  return pieces.map(piece => (typeof piece === 'string' ? { type: 'text', text: piece } : piece))
}

/** Tool messages hold texts only. */
function serializeContent(part: ContentPart): Json | null {
  switch (part.kind) {
    case 'json':
      return JSON.stringify(part.value)
    case 'text':
      return part.text
    case 'file':
      return 'text' in part.source ? part.source.text : null
    case 'unknown':
      return null
  }
}
