import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { Codec, Place } from './codec.ts'
import type { ContentPart, Format, Message, Part, Role } from './conversation.ts'
import { isList, textAt } from './look.ts'

/** Parses an object that a format has as a part; undefined when it is of an unknown kind. */
export type ParseObject = (json: JsonObject, place: Place, type: string | undefined) => Part | undefined

/** How a format whose parts are objects or bare texts parses a part of a message, and a piece of the result of a tool. */
export function createParser(format: Format, parseObject: ParseObject) {
  const parsePart = (json: Json, place: Place): Part => {
    const { id } = place
    if (typeof json === 'string') return { id, kind: 'text', text: json }
    if (!isObject(json)) return { id, kind: 'unknown', name: 'not-a-part' }
    const type = textAt(json, 'type')
    return parseObject(json, place, type) ?? { id, kind: 'unknown', name: type ?? 'unknown' }
  }
  return {
    parse: (json: Json, place: Place): readonly [Part] => [
      { ...parsePart(json, place), native: { format, json } },
    ],
    parseContent: (json: Json, id: string): ContentPart => {
      const part = parsePart(json, { id, role: 'tool' })
      const native = { format, json }
      return part.kind === 'text' || part.kind === 'file'
        ? { ...part, native }
        : { id, kind: 'unknown', name: textAt(json, 'type') ?? 'unknown', native }
    },
  }
}

/** The pieces of a result that is a list, one piece, or nothing. */
export const piecesOf = (content: Json | undefined): readonly Json[] =>
  isList(content) ? content : content === undefined || content === null ? [] : [content]

/** Parses the pieces of messages one after another, and remembers the tool of each call. */
export function createPartParser(parse: Codec['parse']) {
  const tools = new Map<string, string>()
  const toolOf = (call: string) => tools.get(call) ?? null
  return (pieces: readonly Json[], message: string, role: Role): readonly Part[] => {
    const parts: Part[] = []
    for (const piece of pieces)
      for (const part of parse(piece, { id: `${message}.${parts.length}`, role, toolOf })) {
        const numbered = { ...part, id: `${message}.${parts.length}` }
        if (numbered.kind === 'call') tools.set(numbered.call, numbered.tool)
        parts.push(numbered)
      }
    return parts
  }
}

/** The role of a message: one with nothing but results has the role `tool`. */
export const roleOf = (role: Role, parts: readonly Part[]): Role =>
  role === 'user' && parts.length > 0 && parts.every(({ kind }) => kind === 'result') ? 'tool' : role

/** A list item that is not a message, or has a role that the format does not know. It is kept, and not sent as anyone's text. */
export const unparsed = (
  json: Json,
  id: string,
  format: Format,
  name: 'not-a-message' | 'unknown-role' = 'not-a-message',
): Message => ({
  id,
  role: 'user',
  parts: [{ id: `${id}.0`, kind: 'unknown', name, native: { format, json } }],
})
