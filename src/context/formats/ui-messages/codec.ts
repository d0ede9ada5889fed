import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { finish, mapInSteps, type Steps } from '../../../protocol/steps.ts'
import type { Codec, Express, Layout, Segment } from '../codec.ts'
import type { Conversation, Message, Part, Role } from '../conversation.ts'
import type { Leaf } from '../leaves.ts'
import { emptyText } from '../arrange/opening.ts'
import { emptiedDocument, emptiedList, nativeIn } from '../envelope.ts'
import { createPartParser, unparsed } from '../part-parser.ts'
import { isList, lengthOf, listAt, textAt, without } from '../look.ts'
import { isSound } from './faults.ts'
import { findInvalid } from './find-invalid.ts'
import { parse } from './parse.ts'
import { modern } from './modern.ts'
import { serialize } from './serialize.ts'

const format = 'ui-messages'

/** AI SDK UI messages: the list of messages, or `{ messages, … }`. */
export const uiMessages: Codec = {
  format,
  provider: null,
  rules: {
    results: 'inside',
    system: 'among',
    mixesResults: false,
    joins: true,
    mustJoin: 'none',
    gathersResults: false,
    needsFollower: false,
    startsWithUser: false,
    keepsShells: 'assistant',
    callId: /^.+$/su,
    callIds: 'message',
  },
  read: json => finish(readInSteps(json)),
  listKey: 'messages',
  parse,
  serialize,
  isSound,
  put,
  roleName: role => (role === 'tool' ? 'assistant' : role),
  roles: ['system', 'user', 'assistant'],
  partKeys: ['parts', 'role'],
  isSaidByPair,
  findInvalid,
}

/** Reads a document, one message in each step. */
export function* readInSteps(json: Json): Steps<Conversation> {
  const parseParts = createPartParser(parse)
  const messages = isObject(json) ? listAt(json, 'messages') : isList(json) ? json : []
  return {
    system: [],
    messages: yield* mapInSteps(messages, (message, at) => readMessage(message, `m${at}`, parseParts)),
    native: {
      format,
      json: emptiedDocument(json, whole => ({ ...whole, messages: emptiedList(whole, 'messages') })),
      length: lengthOf(isObject(json) ? json['messages'] : json),
    },
  }
}

function readMessage(message: Json, place: string, parseParts: ReturnType<typeof createPartParser>): Message {
  if (!isObject(message)) return unparsed(message, place, format)
  const id = textAt(message, 'id') ?? place
  const role = textAt(message, 'role')
  if (role !== 'system' && role !== 'assistant' && role !== 'user')
    return unparsed(message, id, format, 'unknown-role')
  const json = modern(message)
  return {
    id,
    role,
    parts: parseParts(listAt(json, 'parts'), id, role),
    native: { format, json: isList(json['parts']) ? { ...json, parts: [] } : json },
  }
}

function put({ system, segments, conversation, isAsItCame }: Layout, express: Express): Json {
  const own = nativeIn(conversation, format)
  const prompt: readonly Segment[] =
    system.length === 0 ? [] : [{ role: 'system', parts: system, message: null }]
  const written = [...prompt, ...segments].flatMap((segment, at) => putMessage(segment, `u${at}`, express))
  const messages = written.length === 0 && !isAsItCame ? [nothing] : written
  return isObject(own) ? { ...own, messages } : messages
}

/** The AI SDK refuses no messages at all. */
const nothing: Json = { id: 'empty', role: 'user', parts: [{ type: 'text', text: emptyText }] }

function putMessage({ role, parts, message }: Segment, place: string, express: Express): readonly Json[] {
  const native = nativeIn(message, format)
  const shell: JsonObject = isObject(native) ? native : {}
  const written = parts.flatMap((part, at) => putPart(part, parts[at + 1], role, express))
  if (written.length === 0 && native === undefined) return []
  const name = textAt(shell, 'role')
  const isKnown = name !== undefined && uiMessages.roles.includes(name)
  return [
    {
      ...(!('id' in shell) && { id: message?.id ?? place }),
      ...shell,
      ...(typeof shell['id'] !== 'string' && { id: message?.id ?? place }),
      role: isKnown ? name : uiMessages.roleName(role),
      parts: written,
    },
  ]
}

const states = ['input-available', 'output-available', 'output-error', 'output-denied']

/** Whether a leaf is a name or a state that the pair has in every format, or an emptied result. */
function isSaidByPair(part: Part, { path, value }: Leaf): boolean {
  const { kind } = part
  const denial = kind === 'call' ? part.denial : undefined
  if (path === '/state')
    return typeof value === 'string' && states.includes(value) && (kind === 'call' || kind === 'result')
  if (kind !== 'call') return false
  return (
    // The synthetic result has the reason of the denial.
    (path === '/approval/reason' && denial !== undefined) ||
    path === '/type' ||
    path === '/toolName' ||
    (path === '/output' && value === null) ||
    (path === '/errorText' && value === '')
  )
}

/** A call and the result directly after it are one part. */
function putPart(part: Part, next: Part | undefined, role: Role, express: Express): readonly Json[] {
  if (part.kind === 'result') return []
  const json = express(part, role)
  if (json === null || part.kind !== 'call' || !isObject(json)) return json === null ? [] : [json]
  const result = next?.kind === 'result' && next.call === part.call ? express(next, role) : null
  if (isObject(result)) return [{ ...withoutOther(json, result), ...result }]
  const isAnswered = json['state'] === 'output-available' || json['state'] === 'output-error'
  return [isAnswered ? { ...without(json, 'output', 'errorText'), state: 'input-available' } : json]
}

/** A result is an output or an error, not both. */
const withoutOther = (call: JsonObject, result: JsonObject): JsonObject =>
  without(call, ...['output', 'errorText'].filter(key => !(key in result)))
