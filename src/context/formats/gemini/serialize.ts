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
import { express } from '../express.ts'
import { isExact, isLocal } from '../file-source.ts'
import { fields, present } from '../look.ts'
import { isSound } from './faults.ts'
import { parseContent } from './parse.ts'
import { saidValue } from './response-value.ts'
import { spelled } from './spelled.ts'

/** One part as a Gemini part of a role; null when Gemini has no place for it. */
export function serialize(part: Part, role: Role): Json | null {
  if (role === 'system' && !isWords(part)) return null
  switch (part.kind) {
    case 'text':
      return saidText(part)
    case 'reasoning':
      return saidThought(part)
    case 'file':
      return serializeFile(part)
    case 'call':
      return saidCall(part)
    case 'result':
      return saidResult(part)
    case 'unknown':
      return null
  }
}

/** What a system prompt is made of. */
const isWords = (part: Part) => part.kind === 'text' || (part.kind === 'file' && 'text' in part.source)

const signatureOf = ({ seal }: Part) => (seal?.provider === 'google' ? seal.signature : undefined)

function saidText(part: TextPart): Json | null {
  const thoughtSignature = signatureOf(part)
  return part.text === '' && thoughtSignature === undefined
    ? null
    : fields({ text: part.text, thoughtSignature })
}

function saidThought(part: ReasoningPart): Json | null {
  const thoughtSignature = signatureOf(part)
  if (part.text === '' && thoughtSignature === undefined) return null
  return fields({ text: part.text, thought: true, thoughtSignature })
}

/** What a file is called that nobody knows the kind of: Gemini takes none. */
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

const saidCall = (part: CallPart): Json =>
  fields({
    functionCall: {
      id: part.call,
      name: part.tool,
      args: isObject(part.input) ? part.input : { input: part.input },
    },
    thoughtSignature: signatureOf(part),
  })

function saidResult(part: ResultPart): Json {
  const { id, call, tool, content, isError } = part
  const isOutside = (piece: ContentPart) => piece.native?.format === 'gemini' || isFile(piece)
  const parts = present(
    content.filter(isOutside).map((piece, at) =>
      express<ContentPart>(piece, {
        format: 'gemini',
        parse: json => parseContent(json, `${id}.${at}`),
        serialize: file => (file.kind === 'file' ? serializeFile(file) : null),
        isSound: json => isSound(json, 'tool'),
        spelled,
      }),
    ),
  )
  return fields({
    functionResponse: fields({
      id: call,
      name: tool ?? 'unknown',
      response: saidValue(valueOf(content.filter(piece => !isOutside(piece))), isError),
      parts: parts.length === 0 ? undefined : parts,
    }),
    thoughtSignature: signatureOf(part),
  })
}

const isFile = (piece: ContentPart) => piece.kind === 'file' && !('text' in piece.source)
