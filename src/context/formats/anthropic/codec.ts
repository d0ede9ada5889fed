import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { finish, mapInSteps, type Steps } from '../../../protocol/steps.ts'
import type { Codec, Express, Layout, Segment } from '../codec.ts'
import type { Conversation, Message } from '../conversation.ts'
import { emptiedDocument, emptiedList, nativeIn } from '../envelope.ts'
import { createPartParser, piecesOf, roleOf, unparsed } from '../part-parser.ts'
import { isList, lengthOf, listAt, present, textAt } from '../look.ts'
import { isSound, toolName } from './faults.ts'
import { findInvalid } from './find-invalid.ts'
import { parse } from './parse.ts'
import { limitMarks } from './marks.ts'
import { asBlock, serialize } from './serialize.ts'

const format = 'anthropic-messages'

/** Anthropic Messages: `{ system?, messages, … }`, or the bare list of messages. */
export const anthropic: Codec = {
  format,
  provider: 'anthropic',
  rules: {
    results: 'next',
    system: 'apart',
    mixesResults: true,
    joins: true,
    mustJoin: 'none',
    gathersResults: false,
    needsFollower: true,
    startsWithUser: true,
    keepsShells: 'none',
    callId: /^[A-Za-z0-9_-]{1,128}$/,
    toolName: { legal: toolName, longest: 128 },
    trimsEnd: true,
    needsMessages: true,
  },
  read: json => finish(readInSteps(json)),
  listKey: 'messages',
  parse,
  serialize,
  isSound,
  limit: limitMarks,
  put,
  roleName: role => (role === 'assistant' ? 'assistant' : 'user'),
  roles: ['user', 'assistant'],
  partKeys: ['content', 'role'],
  findInvalid,
}

/** Reads a document, one message in each step. */
export function* readInSteps(json: Json): Steps<Conversation> {
  const parseParts = createPartParser(parse)
  const envelope = isObject(json) ? json : { messages: json }
  const system = envelope['system']
  return {
    system: parseParts(piecesOf(system), 'system', 'system'),
    messages: yield* mapInSteps(listAt(envelope, 'messages'), (message, at) =>
      readMessage(message, `m${at}`, parseParts),
    ),
    native: {
      format,
      json: emptiedDocument(json, whole => ({
        ...whole,
        ...(system !== undefined && { system: emptied(system) }),
        messages: emptiedList(whole, 'messages'),
      })),
      length: lengthOf(envelope['messages']),
    },
  }
}

/** The content of a message without its parts. */
const emptied = (content: Json | undefined): Json => {
  if (isList(content)) return []
  return typeof content === 'string' ? '' : (content ?? null)
}

function readMessage(json: Json, id: string, parseParts: ReturnType<typeof createPartParser>): Message {
  if (!isObject(json)) return unparsed(json, id, format)
  const role = textAt(json, 'role')
  if (role !== 'assistant' && role !== 'user') return unparsed(json, id, format, 'unknown-role')
  const content = json['content']
  const parts = parseParts(isList(content) || typeof content === 'string' ? piecesOf(content) : [], id, role)
  return {
    id,
    role: roleOf(role, parts),
    parts,
    native: { format, json: 'content' in json ? { ...json, content: emptied(content) } : json },
  }
}

function put({ system, segments, conversation }: Layout, express: Express): Json {
  const own = nativeIn(conversation, format)
  const envelope: JsonObject = isObject(own) ? own : {}
  const messages = segments.flatMap(segment => putMessage(segment, express))
  if (isList(own) && system.length === 0) return messages
  const prompt = contentOf(present(system.map(part => express(part, 'system'))), envelope['system'] === '')
  if (!('messages' in envelope)) return { ...(prompt.length > 0 && { system: prompt }), messages }
  const { system: had, ...rest } = envelope
  if (prompt.length === 0 && !isEmptiable(had)) return { ...envelope, messages }
  return had === undefined ? { system: prompt, ...rest, messages } : { ...envelope, system: prompt, messages }
}

const isEmptiable = (json: Json | undefined) => json === '' || (isList(json) && json.length === 0)

function putMessage({ role, parts, message }: Segment, express: Express): readonly Json[] {
  const native = nativeIn(message, format)
  const shell: JsonObject = isObject(native) ? native : {}
  const blocks = present(parts.map(part => express(part, role)))
  if (blocks.length === 0) return []
  const name = textAt(shell, 'role')
  return [
    {
      ...shell,
      role: name === 'user' || name === 'assistant' ? name : anthropic.roleName(role),
      content: contentOf(blocks, shell['content'] === ''),
    },
  ]
}

/** One string where the message had one, else blocks. */
function contentOf(blocks: readonly Json[], wasString: boolean): string | readonly Json[] {
  const [only] = blocks
  if (wasString && blocks.length === 0) return ''
  return wasString && blocks.length === 1 && typeof only === 'string' ? only : blocks.map(asBlock)
}
