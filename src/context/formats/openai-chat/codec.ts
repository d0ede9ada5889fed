import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { finish, mapInSteps, type Steps } from '../../../protocol/steps.ts'
import { emptyText } from '../arrange/opening.ts'
import type { Codec, Express, Layout } from '../codec.ts'
import type { Conversation, Message, Role } from '../conversation.ts'
import { emptiedDocument, emptiedList, nativeIn } from '../envelope.ts'
import { createPartParser, unparsed } from '../part-parser.ts'
import { isList, lengthOf, listAt, textAt } from '../look.ts'
import { toolName } from './faults.ts'
import { findInvalid, isSound } from './find-invalid.ts'
import { parse, wordKeys } from './parse.ts'
import { createOldCalls, isOld, isOldResult, isSaidByPair } from './old-calls.ts'
import { putSegment } from './put-segment.ts'
import { isDeveloper } from './role.ts'
import { serialize } from './serialize.ts'

const format = 'openai-chat'

/** OpenAI chat completions, and all compatible formats: `{ messages, … }`, or the bare list of messages. */
export const openaiChat: Codec = {
  format,
  provider: 'openai',
  rules: {
    results: 'next',
    system: 'among',
    mixesResults: false,
    joins: true,
    mustJoin: 'calls-before',
    gathersResults: false,
    needsFollower: false,
    startsWithUser: false,
    keepsShells: 'all',
    callId: /^.{1,40}$/su,
    callIds: 'step',
    toolName: { legal: toolName, longest: 64 },
    standsFree: isOld,
  },
  read: json => finish(readInSteps(json)),
  listKey: 'messages',
  parse,
  serialize,
  isSound,
  put,
  roleName: role => role,
  keepsRoleOf: isDeveloper,
  roles: ['system', 'developer', 'user', 'assistant', 'tool', 'function'],
  partKeys: ['content', 'role', 'tool_calls', 'function_call', ...wordKeys],
  isSaidByPair,
  findInvalid,
}

/** Reads a document, one message in each step. */
export function* readInSteps(json: Json): Steps<Conversation> {
  const parseParts = createPartParser(parse)
  const oldCalls = createOldCalls()
  const messages = isObject(json) ? listAt(json, 'messages') : isList(json) ? json : []
  return {
    system: [],
    messages: yield* mapInSteps(messages, (message, at) => {
      const id = `m${at}`
      if (isOldResult(message)) return readOldResult(message, id, oldCalls.answer(message, at))
      const parsed = readMessage(message, id, parseParts)
      oldCalls.ask(parsed.parts, at)
      return parsed
    }),
    native: {
      format,
      json: emptiedDocument(json, whole => ({ ...whole, messages: emptiedList(whole, 'messages') })),
      length: lengthOf(isObject(json) ? json['messages'] : json),
    },
  }
}

const roles: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

const readOldResult = (json: Json, id: string, call: string | undefined): Message => ({
  id,
  role: 'tool',
  parts: parse(json, { id: `${id}.0`, role: 'tool', ...(call !== undefined && { call }) }),
})

function readMessage(json: Json, id: string, parseParts: ReturnType<typeof createPartParser>): Message {
  if (!isObject(json)) return unparsed(json, id, format)
  if (json['role'] === 'tool' && typeof json['tool_call_id'] === 'string')
    return { id, role: 'tool', parts: parseParts([json], id, 'tool') }
  const role = roles.get(textAt(json, 'role') ?? '')
  // A tool message without a call does not belong to the user either.
  if (role === undefined) return unparsed(json, id, format, 'unknown-role')
  return {
    id,
    role,
    parts: parseParts(piecesOf(json), id, role),
    native: { format, json: shellOf(json) },
  }
}

/** The pieces of a message in order: reasoning, text, refusal, calls. */
function piecesOf(json: JsonObject): readonly Json[] {
  const content = json['content']
  const words = wordKeys.flatMap(key => (typeof json[key] === 'string' ? [{ [key]: json[key] }] : []))
  return [
    ...words.filter(word => !('refusal' in word)),
    ...(isList(content) ? content : typeof content === 'string' ? [content] : []),
    ...words.filter(word => 'refusal' in word),
    ...listAt(json, 'tool_calls'),
    ...((json['function_call'] ?? null) === null ? [] : [{ function_call: json['function_call'] ?? null }]),
  ]
}

/** The message with its parts taken out, each key at its place. */
function shellOf(json: JsonObject): JsonObject {
  const empty = (key: string, value: Json): Json => {
    if ((key === 'content' || key === 'tool_calls') && isList(value)) return []
    if (key === 'function_call') return value === null ? null : ''
    const isWord = key === 'content' || wordKeys.some(word => word === key)
    return isWord && typeof value === 'string' ? '' : value
  }
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, empty(key, value)]))
}

function put({ system, segments, conversation, isAsItCame }: Layout, express: Express): Json {
  const own = nativeIn(conversation, format)
  const prompt =
    system.length === 0 ? [] : putSegment({ role: 'system', parts: system, message: null }, express)
  const written = [...prompt, ...segments.flatMap(segment => putSegment(segment, express))]
  // Messages may be empty, and a document without messages is refused.
  const messages = written.length === 0 && !isAsItCame ? [{ role: 'user', content: emptyText }] : written
  if (isList(own)) return messages
  return isObject(own) ? { ...own, messages } : { messages }
}
