import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Place } from '../codec.ts'
import type { CallPart, ContentPart, Part, ResultPart, Seal, UnknownPart } from '../conversation.ts'
import { isList, textAt } from '../look.ts'
import { hearFile } from './files.ts'
import { hearFound } from './passages.ts'

const format = 'anthropic-messages'

/** The part that a content block says; a bare string is a text. */
export function parse(json: Json, place: Place): readonly [Part] {
  return [{ ...heard(json, place), native: { format, json } }]
}

function heard(json: Json, place: Place): Part {
  const { id } = place
  if (typeof json === 'string') return { id, kind: 'text', text: json }
  if (!isObject(json)) return unknown(id, 'not-a-part')
  const type = textAt(json, 'type') ?? 'unknown'
  const text = textAt(json, 'text')
  if (type === 'text' && text !== undefined) return { id, kind: 'text', text }
  if (type === 'thinking' || type === 'redacted_thinking') return heardThinking(json, id)
  if (type === 'image' || type === 'document') return hearFile(json, id) ?? unknown(id, type)
  return (
    heardCall(json, type, id) ?? heardResult(json, type, place) ?? hearFound(json, id) ?? unknown(id, type)
  )
}

const unknown = (id: string, name: string): UnknownPart => ({ id, kind: 'unknown', name })

function heardThinking(json: JsonObject, id: string): Part {
  const signature = textAt(json, 'signature')
  const encrypted = textAt(json, 'data')
  const seal: Seal = {
    provider: 'anthropic',
    ...(signature !== undefined && { signature }),
    ...(encrypted !== undefined && { encrypted }),
  }
  return { id, kind: 'reasoning', text: textAt(json, 'thinking') ?? '', seal }
}

const calls = ['tool_use', 'server_tool_use', 'mcp_tool_use']

function heardCall(json: JsonObject, type: string, id: string): CallPart | undefined {
  const call = textAt(json, 'id')
  const tool = textAt(json, 'name')
  const input = json['input']
  if (!calls.includes(type) || call === undefined || tool === undefined || input === undefined)
    return undefined
  return { id, kind: 'call', call, tool, input, ...(type !== 'tool_use' && { isProviderExecuted: true }) }
}

function heardResult(json: JsonObject, type: string, { id, toolOf }: Place): ResultPart | undefined {
  const call = textAt(json, 'tool_use_id')
  if (!type.endsWith('tool_result') || call === undefined) return undefined
  return {
    id,
    kind: 'result',
    call,
    tool: toolOf?.(call) ?? null,
    content: heardContent(json['content'], type, id),
    isError: json['is_error'] === true,
    ...(type !== 'tool_result' && { isProviderExecuted: true }),
  }
}

/** What a tool answered: blocks where the block says so, else the value as it is. */
function heardContent(content: Json | undefined, type: string, id: string): readonly ContentPart[] {
  if (content === undefined) return []
  const isBlocks = type === 'tool_result' || type === 'mcp_tool_result'
  if (isBlocks && typeof content === 'string') return [parseContent(content, `${id}.0`)]
  if (isBlocks && isList(content)) return content.map((block, at) => parseContent(block, `${id}.${at}`))
  return [{ id: `${id}.0`, kind: 'json', value: content }]
}

/** One block of a tool's answer. */
export function parseContent(json: Json, id: string): ContentPart {
  const part = heard(json, { id, role: 'tool' })
  const native = { format, json } as const
  return part.kind === 'text' || part.kind === 'file'
    ? { ...part, native }
    : { id, kind: 'unknown', name: textAt(json, 'type') ?? 'unknown', native }
}
