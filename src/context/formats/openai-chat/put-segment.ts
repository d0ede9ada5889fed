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
  const said = present(parts.map(part => express(part, role))).map(json => ownWords(json, role))
  if (role === 'tool') return said
  const native = message?.native?.format === 'openai-chat' ? message.native.json : undefined
  const shell: JsonObject = isObject(native) ? native : {}
  if (said.length === 0 && !saysSomething(shell)) return []
  const name = textAt(shell, 'role') ?? openaiRole(segment)
  const { tool_calls: had, ...around } = shell
  const calls = said.filter(isCall)
  const words = said.filter(isWord)
  const [oldCall, ...more] = said.filter(isOldCall).toReversed()
  const content = said.filter(json => !isCall(json) && !isWord(json) && !isOldCall(json))
  return [
    // A message has room for one of them.
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

/** A sound is said by the message, not by parts of it. */
const saysSomething = (shell: JsonObject) => isObject(shell['audio'])

/** Without the place of an old call that is not said. */
const withoutOldCall = (shell: JsonObject, call: JsonObject | undefined): JsonObject =>
  call === undefined && shell['function_call'] === '' ? without(shell, 'function_call') : shell

/** Only an assistant refuses: of others these are plain words. */
const ownWords = (json: Json, role: Segment['role']): Json =>
  role !== 'assistant' && isWord(json) ? (textAt(json, 'refusal') ?? json) : json

const isCall = (json: Json) =>
  isObject(json) && 'id' in json && ('function' in json || json['type'] === 'custom')
const isWord = (json: Json) => isObject(json) && !('type' in json) && wordKeys.some(key => key in json)

/** A string where the message had one or where one text is all there is; nothing where only calls are. */
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

/** Refusal and reasoning stand under keys of their own. */
function wordsOf(words: readonly Json[], shell: JsonObject): JsonObject {
  return Object.fromEntries(
    wordKeys.flatMap((key): readonly (readonly [string, Json])[] => {
      const said = words.flatMap(word => textAt(word, key) ?? [])
      // Messages that became one have room for one text.
      if (said.length > 0) return [[key, said.join('\n\n')]]
      return shell[key] === '' ? [[key, null]] : []
    }),
  )
}
