import type { ModelRequest, Tokens } from '../../protocol/data-parts.ts'
import { asList as listOf, isObject, type Json, type JsonObject } from '../../protocol/json.ts'

/**
 * Claude Code's messages are read field by field: they gain kinds and fields with every release, and a schema would
 * cost more than the rest of the translation.
 */
export type Fields = JsonObject

/** A string, or null for anything else. */
export const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

/** A number, or null for anything else. */
export const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)

/** An object, or null for anything else. */
export const fieldsOf = (value: Json | undefined): Fields | null => (isObject(value) ? value : null)

export { asList as listOf } from '../../protocol/json.ts'

/** The objects of a list. */
export function objectsIn(value: Json | undefined): readonly Fields[] {
  return listOf(value)
    .map(fieldsOf)
    .filter(each => each !== null)
}

/** The strings of a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter(each => typeof each === 'string')
}

/** One block of a message from or to the model. */
export type Block =
  | { readonly type: 'text'; readonly text: string; readonly citations: Json | null }
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string | null }
  | { readonly type: 'redacted' }
  | { readonly type: 'call'; readonly call: string; readonly tool: string; readonly input: Json }
  | { readonly type: 'result'; readonly call: string; readonly content: Json; readonly failed: boolean }
  | { readonly type: 'other'; readonly kind: string; readonly native: Fields }

/** Reads a block. Tools that the model's provider runs are calls like others. */
export function readBlock(native: Fields): Block {
  const kind = textOf(native['type']) ?? 'untyped'
  if (kind === 'text')
    return { type: 'text', text: textOf(native['text']) ?? '', citations: native['citations'] ?? null }
  if (kind === 'thinking')
    return {
      type: 'thinking',
      text: textOf(native['thinking']) ?? '',
      signature: textOf(native['signature']),
    }
  if (kind === 'redacted_thinking') return { type: 'redacted' }
  if (kind.endsWith('tool_use')) return readCall(kind, native)
  if (kind.endsWith('tool_result')) return readResult(kind, native)
  return { type: 'other', kind, native }
}

function readCall(kind: string, native: Fields): Block {
  const call = textOf(native['id'])
  if (call === null) return { type: 'other', kind, native }
  const tool = textOf(native['name']) ?? 'unknown'
  return { type: 'call', call, tool, input: native['input'] ?? null }
}

function readResult(kind: string, native: Fields): Block {
  const call = textOf(native['tool_use_id'])
  if (call === null) return { type: 'other', kind, native }
  const failed = native['is_error'] === true
  return { type: 'result', call, content: native['content'] ?? null, failed }
}

/** The blocks of a message; a plain string is one block of text. */
export function blocksOf(content: Json | undefined): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content, citations: null }]
  return objectsIn(content).map(readBlock)
}

/** How our denials begin; Claude Code repeats our answers. */
export const refusal = 'Dragoman does not do'

/** No tokens at all. */
export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The tokens of one request to the model; missing figures stay as they were. */
export function tokensOf(usage: Fields, before: Tokens = noTokens): Tokens {
  return {
    input: numberOf(usage['input_tokens']) ?? before.input,
    output: numberOf(usage['output_tokens']) ?? before.output,
    cacheRead: numberOf(usage['cache_read_input_tokens']) ?? before.cacheRead,
    cacheWrite: numberOf(usage['cache_creation_input_tokens']) ?? before.cacheWrite,
  }
}

/** One request to the model; a part of its cache may stay for an hour, which has another price. */
export function requestOf(id: string, usage: Fields): ModelRequest {
  const hourWrites = numberOf(fieldsOf(usage['cache_creation'])?.['ephemeral_1h_input_tokens']) ?? 0
  return { id, tokens: tokensOf(usage), ...(hourWrites > 0 && { hourWrites }) }
}

/** The sum of two amounts of tokens. */
export function sumOf(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  }
}
