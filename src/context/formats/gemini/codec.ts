import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Codec, Express, Layout, Place, Segment } from '../codec.ts'
import type { Conversation, Message, Part, Role } from '../conversation.ts'
import { emptiedDocument, emptiedList, nativeIn } from '../envelope.ts'
import { isList, lengthOf, listAt, objectAt, present, textAt, without } from '../look.ts'
import { roleOf, unparsed } from '../part-parser.ts'
import { isSound, legalName, longestName } from './faults.ts'
import { findInvalid } from './find-invalid.ts'
import { parse } from './parse.ts'
import { serialize } from './serialize.ts'
import { signed } from './sign.ts'
import { spelled } from './spelled.ts'

const format = 'gemini'
const systemKeys = ['systemInstruction', 'system_instruction']

/** Gemini: `{ systemInstruction?, contents, … }`, or the bare list of contents. */
export const gemini: Codec = {
  format,
  provider: 'google',
  rules: {
    results: 'next',
    system: 'apart',
    mixesResults: false,
    joins: true,
    mustJoin: 'calls',
    gathersResults: true,
    needsFollower: false,
    startsWithUser: true,
    keepsShells: 'none',
    callId: /^.{1,128}$/su,
    toolName: { legal: legalName, longest: longestName },
    sameTool: true,
    needsMessages: true,
  },
  read,
  listKey: 'contents',
  parse,
  serialize,
  isSound,
  spelled,
  put,
  roleName: role => (role === 'assistant' ? 'model' : 'user'),
  roles: ['user', 'model', 'function'],
  partKeys: ['parts', 'role'],
  findInvalid,
}

function read(json: Json): Conversation {
  const envelope = isObject(json) ? json : { contents: json }
  const key = systemKeys.find(name => isObject(envelope[name]))
  const system = key === undefined ? [] : listAt(envelope[key], 'parts')
  const parseParts = createPartParser()
  return {
    system: parseParts(system, 'system', 'system'),
    messages: listAt(envelope, 'contents').map((content, at) => readContent(content, `m${at}`, parseParts)),
    native: {
      format,
      json: emptiedDocument(json, whole => emptied(whole, key)),
      length: lengthOf(envelope['contents']),
    },
  }
}

const emptied = (json: JsonObject, key: string | undefined): JsonObject => ({
  ...json,
  ...(key !== undefined && { [key]: withoutParts(json[key]) }),
  ...('contents' in json && { contents: emptiedList(json, 'contents') }),
})

const withoutParts = (json: Json | undefined): JsonObject =>
  isObject(json) ? (isList(json['parts']) ? { ...json, parts: [] } : json) : {}

/** Responses without an id answer the oldest call of their name that still waits. */
function createPartParser() {
  let waiting: readonly { readonly call: string; readonly tool: string }[] = []
  return (pieces: readonly Json[], message: string, role: Role): readonly Part[] => {
    const parts: Part[] = []
    for (const piece of pieces) {
      const id = `${message}.${parts.length}`
      const [first] = parse(piece, { id, role })
      const answered =
        first.kind === 'result' ? waiting.find(({ tool }) => tool === first.tool)?.call : undefined
      const place: Place = answered === undefined ? { id, role } : { id, role, call: answered }
      const [part] = parse(piece, place)
      if (part.kind === 'call') waiting = [...waiting, part]
      if (part.kind === 'result') waiting = waiting.filter(({ call }) => call !== part.call)
      parts.push(part)
    }
    return parts
  }
}

function readContent(json: Json, id: string, parseParts: ReturnType<typeof createPartParser>): Message {
  if (!isObject(json)) return unparsed(json, id, format)
  const role = json['role']
  if (role !== undefined && !gemini.roles.some(known => known === role))
    return unparsed(json, id, format, 'unknown-role')
  const messageRole: Role = textAt(json, 'role') === 'model' ? 'assistant' : 'user'
  const parts = parseParts(listAt(json, 'parts'), id, messageRole)
  return { id, role: roleOf(messageRole, parts), parts, native: { format, json: withoutParts(json) } }
}

function put({ system, segments, conversation }: Layout, express: Express): Json {
  const own = nativeIn(conversation, format)
  const envelope: JsonObject = isObject(own) ? own : {}
  const nameless = namelessCalls(segments, express)
  const matched: typeof express = (part, role) => {
    const json = express(part, role)
    return part.kind === 'result' && nameless.has(part.call) ? withoutId(json) : json
  }
  const contents = signed(
    segments.flatMap(segment => putContent(segment, matched)),
    segments,
  )
  if (isList(own) && system.length === 0) return contents
  const key = systemKeys.find(name => isObject(envelope[name]))
  const parts = present(system.map(part => express(part, 'system')))
  const had = key === undefined ? {} : withoutParts(envelope[key])
  const prompt: JsonObject = parts.length > 0 || 'parts' in had ? { ...had, parts } : had
  if (key === undefined && parts.length > 0) return { systemInstruction: prompt, ...envelope, contents }
  return { ...envelope, ...(key !== undefined && { [key]: prompt }), contents }
}

/** Calls that go out without an id: then their responses must, too. */
function namelessCalls(segments: readonly Segment[], express: Express): ReadonlySet<string> {
  const calls = segments.flatMap(({ parts, role }) =>
    parts.flatMap(part =>
      part.kind === 'call' && !('id' in objectAt(spelled(express(part, role)), 'functionCall'))
        ? [part.call]
        : [],
    ),
  )
  return new Set(calls)
}

function withoutId(json: Json | null): Json | null {
  const object = spelled(json)
  const response = objectAt(object, 'functionResponse')
  return isObject(object) && 'id' in response
    ? { ...object, functionResponse: without(response, 'id') }
    : json
}

function putContent({ role, parts, message }: Segment, express: Express): readonly JsonObject[] {
  const native = nativeIn(message, format)
  const shell: JsonObject = isObject(native) ? native : {}
  const written = present(parts.map(part => express(part, role)))
  if (written.length === 0) return []
  const name = textAt(shell, 'role')
  const isKnown = name !== undefined && gemini.roles.includes(name)
  const isUnsaid = native !== undefined && !('role' in shell) && role !== 'assistant'
  return [{ ...shell, ...(!isUnsaid && { role: isKnown ? name : gemini.roleName(role) }), parts: written }]
}
