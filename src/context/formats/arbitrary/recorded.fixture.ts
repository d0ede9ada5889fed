import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Format } from '../conversation.ts'
import { listAt, objectAt, parsed, textAt } from '../look.ts'

/** A recorded answer, put after a user's word, as a document of its format. */
export function answersOf(recording: string, format: Format): Json {
  const whole = parsed(recording)
  const events = whole === undefined ? recording.split('\n').flatMap(line => parsed(line) ?? []) : [whole]
  switch (format) {
    case 'anthropic-messages':
      return {
        messages: [
          { role: 'user', content: 'go' },
          { role: 'assistant', content: blocksOf(events) },
        ],
      }
    case 'openai-chat':
      return { messages: [{ role: 'user', content: 'go' }, ...events.flatMap(messagesOf)] }
    case 'openai-responses':
      return { input: [{ role: 'user', content: 'go' }, ...events.flatMap(itemsOf)] }
    case 'gemini':
      return {
        contents: [
          { role: 'user', parts: [{ text: 'go' }] },
          { role: 'model', parts: events.flatMap(partsOf) },
        ],
      }
    case 'ui-messages':
      return []
  }
}

const itemsOf = (event: Json): readonly Json[] => {
  if (textAt(event, 'type') === 'response.completed') return listAt(objectAt(event, 'response'), 'output')
  return listAt(event, 'output')
}

const messagesOf = (event: Json): readonly Json[] =>
  listAt(event, 'choices').flatMap(choice =>
    isObject(choice) && isObject(choice['message']) ? [choice['message']] : [],
  )

const partsOf = (event: Json): readonly Json[] =>
  listAt(objectAt(listAt(event, 'candidates')[0], 'content'), 'parts')

/** The blocks of a streamed or whole Anthropic message. */
function blocksOf(events: readonly Json[]): readonly Json[] {
  const blocks = new Map<number, JsonObject>()
  for (const event of events) {
    const at = isObject(event) && typeof event['index'] === 'number' ? event['index'] : 0
    if (textAt(event, 'type') === 'content_block_start') blocks.set(at, objectAt(event, 'content_block'))
    if (textAt(event, 'type') === 'content_block_delta')
      blocks.set(at, grown(blocks.get(at) ?? {}, objectAt(event, 'delta')))
  }
  const streamed = [...blocks.values()].map(closed)
  return [...streamed, ...events.flatMap(event => listAt(event, 'content'))]
}

function grown(block: JsonObject, delta: JsonObject): JsonObject {
  const key = Object.keys(delta).find(name => name !== 'type') ?? ''
  const value = delta[key] ?? null
  if (key === 'citation') return { ...block, citations: [...listAt(block, 'citations'), value] }
  return { ...block, [key]: typeof value === 'string' ? (textAt(block, key) ?? '') + value : value }
}

/** Input that was streamed as text. */
function closed({ partial_json: given, ...block }: JsonObject): JsonObject {
  return typeof given === 'string' ? { ...block, input: parsed(given) ?? {} } : block
}
