import { isObject, type Json } from '../../../protocol/json.ts'
import type {
  CallPart,
  ContentPart,
  FilePart,
  Part,
  ReasoningPart,
  ResultPart,
  Role,
} from '../conversation.ts'
import { express } from '../express.ts'
import { fields, present } from '../look.ts'
import { isSoundInside } from './faults.ts'
import { parseContent } from './parse.ts'
import { sayFile } from './files.ts'
import { sayText } from './passages.ts'

/** One part as a content block of a role; null when Anthropic would refuse it. */
export function serialize(part: Part, role: Role): Json | null {
  if (role === 'system' && part.kind !== 'text' && part.kind !== 'file') return null
  switch (part.kind) {
    case 'text':
      return sayText(part, role)
    case 'reasoning':
      return saidThinking(part)
    case 'file':
      return role === 'system' || role === 'assistant' ? saidWords(part) : sayFile(part)
    case 'call':
      return saidCall(part)
    case 'result':
      return saidResult(part)
    case 'unknown':
      return null
  }
}

/** Only the user shows files: of others it is the words in them, if there are any. */
const saidWords = ({ source }: FilePart): Json | null =>
  'text' in source && source.text.trim() !== '' ? { type: 'text', text: source.text } : null

/** Thinking goes back only with Anthropic's own seal. */
function saidThinking({ text, seal }: ReasoningPart): Json | null {
  if (seal?.provider !== 'anthropic') return null
  if (seal.encrypted !== undefined) return { type: 'redacted_thinking', data: seal.encrypted }
  const isSigned = seal.signature !== undefined && seal.signature !== ''
  return !isSigned ? null : { type: 'thinking', thinking: text, signature: seal.signature }
}

const saidCall = ({ call, tool, input }: CallPart): Json => ({
  type: 'tool_use',
  id: call,
  name: tool,
  input: isObject(input) ? input : { input },
})

function saidResult({ id, call, content, isError }: ResultPart): Json {
  const blocks = present(
    content.map((part, at) =>
      express<ContentPart>(part, {
        format: 'anthropic-messages',
        parse: json => parseContent(json, `${id}.${at}`),
        serialize: serializeContent,
        isSound: isSoundInside,
      }),
    ),
  )
  const [only] = blocks
  const said = blocks.length === 1 && typeof only === 'string' ? only : blocks.map(asBlock)
  return fields({
    type: 'tool_result',
    tool_use_id: call,
    content: blocks.length === 0 ? undefined : said,
    is_error: isError ? true : undefined,
  })
}

/** A bare string stands for a text block. */
export const asBlock = (json: Json): Json => (typeof json === 'string' ? { type: 'text', text: json } : json)

function serializeContent(part: ContentPart): Json | null {
  switch (part.kind) {
    case 'json':
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'text':
      return sayText(part, 'tool')
    case 'file':
      return sayFile(part)
    case 'unknown':
      return null
  }
}
