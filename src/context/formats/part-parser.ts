import type { Json } from '../../protocol/json.ts'
import type { Format, Message, Part, Role } from './conversation.ts'
import type { Codec } from './codec.ts'

/** Reads the pieces of messages one after another, remembering which tool each call asked for. */
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

/** The role of a message: one that has nothing but results is the tool's. */
export const roleOf = (said: Role, parts: readonly Part[]): Role =>
  said === 'user' && parts.length > 0 && parts.every(({ kind }) => kind === 'result') ? 'tool' : said

/** What stands among messages and is none, or is of a role that the format does not know: nobody's words. */
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
