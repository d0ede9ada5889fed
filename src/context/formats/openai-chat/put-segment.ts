import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Express, Segment } from '../codec.ts'
import { present, textAt, without } from '../look.ts'
import { wordKeys } from './parse.ts'
import { isOldCall } from './old-calls.ts'
import { openaiRole } from './role.ts'

const known = ['system', 'developer', 'user', 'assistant']

/** One message with its calls, or one message for each result. */
export function putSegment(segment: Segment, express: Express): readonly Json[] {
  const { role, parts, message } = segment
  const pieces = present(parts.map(part => express(part, role))).map(json => ownWords(json, role))
  if (role === 'tool') return pieces
  const native = message?.native?.format === 'openai-chat' ? message.native.json : undefined
  const shell: JsonObject = isObject(native) ? native : {}
  if (pieces.length === 0 && !saysSomething(shell)) return []
  const name = textAt(shell, 'role') ?? openaiRole(segment)
  const { tool_calls: had, ...around } = shell
  const calls = pieces.filter(isCall)
  const words = pieces.filter(isWord)
  const [oldCall, ...more] = pieces.filter(isOldCall).toReversed()
  const content = pieces.filter(json => !isCall(json) && !isWord(json) && !isOldCall(json))
  return [
    // A message can have only one of them.
    ...more.toReversed().map(call => ({ role: 'assistant', content: null, ...call })),
    {
      // An empty list of calls is refused.
      ...withoutOldCall(calls.length > 0 || had === null ? shell : around, oldCall),
      role: known.includes(name) ? name : role,
      ...contentOf(content, shell, native !== undefined),
      ...wordsOf(words, shell),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...oldCall,
    },
  ]
}

/** Audio belongs to the message, not to its parts. */
const saysSomething = (shell: JsonObject) => isObject(shell['audio'])

/** The message without an old call that is not written. */
const withoutOldCall = (shell: JsonObject, call: JsonObject | undefined): JsonObject =>
  call === undefined && shell['function_call'] === '' ? without(shell, 'function_call') : shell

/** Only an assistant has refusals: of other roles they are plain text. */
const ownWords = (json: Json, role: Segment['role']): Json =>
  role !== 'assistant' && isWord(json) ? (textAt(json, 'refusal') ?? json) : json

const isCall = (json: Json) =>
  isObject(json) && 'id' in json && ('function' in json || json['type'] === 'custom')
const isWord = (json: Json) => isObject(json) && !('type' in json) && wordKeys.some(key => key in json)

/** A string if the message had one or has one text only; nothing if it has only calls. */
function contentOf(pieces: readonly Json[], shell: JsonObject, isNative: boolean): JsonObject {
  const had = shell['content']
  const [only] = pieces
  if (only === undefined) {
    if (!isNative) return { content: null }
    if (!('content' in shell)) return {}
    return { content: typeof had === 'string' || Array.isArray(had) ? had : null }
  }
  if (pieces.length === 1 && typeof only === 'string') return { content: only }
  if (pieces.length === 1 && isPlainText(only) && !Array.isArray(had))
    return { content: textAt(only, 'text') ?? '' }
  return { content: pieces.map(piece => (typeof piece === 'string' ? { type: 'text', text: piece } : piece)) }
}

const isPlainText = (json: Json) =>
  isObject(json) &&
  json['type'] === 'text' &&
  Object.keys(json).length === 2 &&
  typeof json['text'] === 'string'

/** Refusal and reasoning have separate keys. */
function wordsOf(words: readonly Json[], shell: JsonObject): JsonObject {
  return Object.fromEntries(
    wordKeys.flatMap((key): readonly (readonly [string, Json])[] => {
      const texts = words.flatMap(word => textAt(word, key) ?? [])
      // A joined message can have only one text.
      if (texts.length > 0) return [[key, texts.join('\n\n')]]
      return shell[key] === '' ? [[key, null]] : []
    }),
  )
}
