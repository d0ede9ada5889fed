import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Place } from '../codec.ts'
import type { CallPart, ContentPart, Part, ResultPart, Seal } from '../conversation.ts'
import { isList, textAt } from '../look.ts'
import { createParser } from '../part-parser.ts'
import { parseFile } from './files.ts'
import { parseFound } from './passages.ts'

/** The part of a content block; a bare string is a text. `parseContent` parses a block of the result of a tool. */
export const { parse, parseContent } = createParser('anthropic-messages', (json, place, type = '') => {
  const { id } = place
  const text = textAt(json, 'text')
  if (type === 'text' && text !== undefined) return { id, kind: 'text', text }
  if (type === 'thinking' || type === 'redacted_thinking') return parseThinking(json, id)
  if (type === 'image' || type === 'document') return parseFile(json, id)
  return parseCall(json, type, id) ?? parseResult(json, type, place) ?? parseFound(json, id)
})

function parseThinking(json: JsonObject, id: string): Part {
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

function parseCall(json: JsonObject, type: string, id: string): CallPart | undefined {
  const call = textAt(json, 'id')
  const tool = textAt(json, 'name')
  const input = json['input']
  if (!calls.includes(type) || call === undefined || tool === undefined || input === undefined)
    return undefined
  return { id, kind: 'call', call, tool, input, ...(type !== 'tool_use' && { isProviderExecuted: true }) }
}

function parseResult(json: JsonObject, type: string, { id, toolOf }: Place): ResultPart | undefined {
  const call = textAt(json, 'tool_use_id')
  if (!type.endsWith('tool_result') || call === undefined) return undefined
  return {
    id,
    kind: 'result',
    call,
    tool: toolOf?.(call) ?? null,
    content: parseAnswer(json['content'], type, id),
    isError: json['is_error'] === true,
    ...(type !== 'tool_result' && { isProviderExecuted: true }),
  }
}

/** The result of a tool: blocks in blocks that have them, else the value as it is. */
function parseAnswer(content: Json | undefined, type: string, id: string): readonly ContentPart[] {
  if (content === undefined) return []
  const isBlocks = type === 'tool_result' || type === 'mcp_tool_result'
  if (isBlocks && typeof content === 'string') return [parseContent(content, `${id}.0`)]
  if (isBlocks && isList(content)) return content.map((block, at) => parseContent(block, `${id}.${at}`))
  return [{ id: `${id}.0`, kind: 'json', value: content }]
}
