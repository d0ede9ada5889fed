import type { Json } from '../../protocol/json.ts'
import type {
  CallPart,
  ContentPart,
  FilePart,
  Format,
  JsonPart,
  Part,
  ReasoningPart,
  ResultPart,
  Role,
  TextPart,
} from './conversation.ts'
import { express } from './express.ts'
import { present } from './look.ts'

/** How a format writes each kind of part; null for a part that it has no place for. */
export interface PartSerializers {
  readonly text: (part: TextPart, role: Role) => Json | null
  readonly reasoning: (part: ReasoningPart, role: Role) => Json | null
  readonly file: (part: FilePart, role: Role) => Json | null
  readonly call: (part: CallPart) => Json | null
  readonly result: (part: ResultPart) => Json | null
}

/** One part in the words of a format; null when the format has no place for it. */
export function serializePart(by: PartSerializers, part: Part, role: Role): Json | null {
  switch (part.kind) {
    case 'text':
      return by.text(part, role)
    case 'reasoning':
      return by.reasoning(part, role)
    case 'file':
      return by.file(part, role)
    case 'call':
      return by.call(part)
    case 'result':
      return by.result(part)
    case 'unknown':
      return null
  }
}

/** How a format writes the result of a tool. */
export interface ContentSerializers {
  readonly format: Format
  readonly parse: (json: Json, id: string) => ContentPart
  readonly text: (part: TextPart) => Json | null
  readonly json: (part: JsonPart) => Json | null
  readonly file: (part: FilePart) => Json | null
  readonly isSound: (json: Json) => boolean
  readonly spelled?: (json: Json) => Json
}

/** The result of a tool, piece by piece: native JSON where a piece was not changed. Pieces without a place are left out. */
export const serializeContent = (
  by: ContentSerializers,
  content: readonly ContentPart[],
  id: string,
): readonly Json[] =>
  present(
    content.map((piece, at) =>
      express<ContentPart>(piece, {
        format: by.format,
        parse: json => by.parse(json, `${id}.${at}`),
        serialize: part => serializePiece(by, part),
        isSound: by.isSound,
        ...(by.spelled && { spelled: by.spelled }),
      }),
    ),
  )

/** One piece of the result of a tool. */
export function serializePiece(
  by: Pick<ContentSerializers, 'text' | 'json' | 'file'>,
  part: ContentPart,
): Json | null {
  switch (part.kind) {
    case 'json':
      return by.json(part)
    case 'text':
      return by.text(part)
    case 'file':
      return by.file(part)
    case 'unknown':
      return null
  }
}

/** Pieces as content: a single plain text is a string, and other texts are parts of this type. */
export function contentOf(pieces: readonly Json[], type: 'text' | 'input_text'): Json {
  const [only] = pieces
  if (only === undefined) return ''
  if (pieces.length === 1 && typeof only === 'string') return only
  return pieces.map(piece => (typeof piece === 'string' ? { type, text: piece } : piece))
}
