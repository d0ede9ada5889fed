import { isObject, type Json } from '../../../protocol/json.ts'
import { valueOf } from '../content/tool-value.ts'
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
import { isExact, isLocal } from '../file-source.ts'
import { fields } from '../look.ts'
import {
  serializeContent,
  serializePart,
  type ContentSerializers,
  type PartSerializers,
} from '../serializers.ts'
import { isSound } from './faults.ts'
import { parseContent } from './parse.ts'
import { serializeValue } from './response-value.ts'
import { spelled } from './spelled.ts'

/** One part as a Gemini part of a role; null when Gemini has no place for it. */
export const serialize = (part: Part, role: Role): Json | null =>
  role === 'system' && !isWords(part) ? null : serializePart(parts, part, role)

const parts: PartSerializers = {
  text: serializeText,
  reasoning: serializeThought,
  file: serializeFile,
  call: serializeCall,
  result: serializeResult,
}

/** What a system prompt is made of. */
const isWords = (part: Part) => part.kind === 'text' || (part.kind === 'file' && 'text' in part.source)

const signatureOf = ({ seal }: Part) => (seal?.provider === 'google' ? seal.signature : undefined)

function serializeText(part: TextPart): Json | null {
  const thoughtSignature = signatureOf(part)
  return part.text === '' && thoughtSignature === undefined
    ? null
    : fields({ text: part.text, thoughtSignature })
}

function serializeThought(part: ReasoningPart): Json | null {
  const thoughtSignature = signatureOf(part)
  if (part.text === '' && thoughtSignature === undefined) return null
  return fields({ text: part.text, thought: true, thoughtSignature })
}

/** The media type of a file of unknown type: Gemini accepts none. */
const unknownKind = 'application/octet-stream'

function serializeFile(part: FilePart): Json | null {
  const { mediaType, source, name } = part
  const thoughtSignature = signatureOf(part)
  if ('text' in source) return source.text === '' ? null : fields({ text: source.text, thoughtSignature })
  if ('reference' in source || !isExact(mediaType)) return null
  if ('url' in source && isLocal.test(source.url)) return null
  if ('data' in source && mediaType === unknownKind) return null
  if ('url' in source)
    return fields({
      fileData: fields({ mimeType: mediaType, fileUri: source.url, displayName: name }),
      thoughtSignature,
    })
  return fields({
    inlineData: fields({ mimeType: mediaType, data: source.data, displayName: name }),
    thoughtSignature,
  })
}

function serializeCall(part: CallPart): Json {
  const args = isObject(part.input) ? part.input : { input: part.input }
  return fields({
    functionCall: { id: part.call, name: part.tool, args },
    thoughtSignature: signatureOf(part),
  })
}

/** The parts beside the value of a result. */
const content: ContentSerializers = {
  format: 'gemini',
  parse: parseContent,
  text: () => null,
  json: () => null,
  file: serializeFile,
  isSound: json => isSound(json, 'tool'),
  spelled,
}

function serializeResult(part: ResultPart): Json {
  const { id, call, tool, isError } = part
  const isOutside = (piece: ContentPart) => piece.native?.format === 'gemini' || isFile(piece)
  const files = serializeContent(content, part.content.filter(isOutside), id)
  return fields({
    functionResponse: fields({
      id: call,
      name: tool ?? 'unknown',
      response: serializeValue(valueOf(part.content.filter(piece => !isOutside(piece))), isError),
      parts: files.length === 0 ? undefined : files,
    }),
    thoughtSignature: signatureOf(part),
  })
}

const isFile = (piece: ContentPart) => piece.kind === 'file' && !('text' in piece.source)
