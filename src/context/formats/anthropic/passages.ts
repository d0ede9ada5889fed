import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Role, TextPart } from '../conversation.ts'
import { isList, textAt } from '../look.ts'

/** The texts of some blocks, or the string in their place, joined; undefined when they are blank. */
export function passagesOf(content: Json | undefined): string | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : content
  const texts = (isList(content) ? content : [])
    .filter(block => textAt(block, 'type') === 'text')
    .flatMap(block => textAt(block, 'text') ?? [])
  const whole = texts.join('\n\n')
  return whole.trim() === '' ? undefined : whole
}

/** A search result as a text; undefined for other blocks. */
export function parseFound(block: JsonObject, id: string): TextPart | undefined {
  const text = block['type'] === 'search_result' ? passagesOf(block['content']) : undefined
  return text === undefined ? undefined : { id, kind: 'text', text }
}

/** A text as a block; a search result stays one, where that is allowed. */
export function serializeText({ text, native }: TextPart, role: Role): Json | null {
  if (text.trim() === '') return null
  const block = { type: 'text', text }
  const isFound =
    role !== 'system' &&
    native?.format === 'anthropic-messages' &&
    textAt(native.json, 'type') === 'search_result'
  return isFound ? { type: 'search_result', content: [block] } : block
}
