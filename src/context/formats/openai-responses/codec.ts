import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Codec, Express, Layout, Segment } from '../codec.ts'
import type { Conversation, Message, Part, Role } from '../conversation.ts'
import { emptyText } from '../arrange/opening.ts'
import { emptiedDocument, emptiedList, nativeIn } from '../envelope.ts'
import { createPartParser, unparsed } from '../part-parser.ts'
import { isList, lengthOf, textAt } from '../look.ts'
import { isSound } from './faults.ts'
import { findInvalid, goesOnFrom, isBegun } from './find-invalid.ts'
import { parse } from './parse.ts'
import { toolName } from '../openai-chat/faults.ts'
import { isDeveloper } from '../openai-chat/role.ts'
import { limitItems, withOwnIds } from './items.ts'
import { putSegment } from './put-segment.ts'
import { serialize } from './serialize.ts'

const format = 'openai-responses'

/** Whether it continues a conversation that OpenAI keeps, or refers to items that it keeps. */
const goesOn = ({ native, messages }: Conversation) =>
  (native?.format === format && goesOnFrom(native.json)) ||
  messages.some(({ parts }) =>
    parts.some(
      part => part.kind === 'unknown' && part.name === 'item_reference' && part.native?.format === format,
    ),
  )

/** OpenAI responses: `{ instructions?, input, … }`, or the bare list of items. Each item is a message. */
export const openaiResponses: Codec = {
  format,
  provider: 'openai',
  rules: {
    results: 'later',
    system: 'among',
    mixesResults: false,
    joins: false,
    mustJoin: 'none',
    gathersResults: false,
    needsFollower: true,
    startsWithUser: false,
    keepsShells: 'none',
    callId: /^.{1,64}$/su,
    toolName: { legal: toolName, longest: 64 },
    goesOn,
  },
  read,
  listKey: 'input',
  parse,
  serialize,
  isSound,
  limit: limitItems,
  put,
  roleName: role => (role === 'tool' ? 'user' : role),
  keepsRoleOf: isDeveloper,
  roles: ['system', 'developer', 'user', 'assistant'],
  partKeys: ['content', 'role'],
  // An output has the type that matches its call.
  isSaidByPair: ({ kind }, { path }) => kind === 'result' && path === '/type',
  findInvalid,
}

function read(json: Json): Conversation {
  const parseParts = createPartParser(parse)
  const envelope = isObject(json) ? json : { input: json }
  const { instructions, input } = envelope
  const items = isList(input) ? input : typeof input === 'string' ? [input] : []
  return {
    system: typeof instructions === 'string' ? parseParts([instructions], 'system', 'system') : [],
    messages: items.map((item, at) => readItem(item, `m${at}`, parseParts)),
    native: {
      format,
      json: typeof json === 'string' ? [] : emptiedDocument(json, emptied),
      length: typeof input === 'string' ? 1 : lengthOf(input),
    },
  }
}

const emptied = (json: JsonObject): JsonObject => ({
  ...json,
  ...(typeof json['instructions'] === 'string' && { instructions: '' }),
  ...('input' in json && { input: typeof json['input'] === 'string' ? '' : emptiedList(json, 'input') }),
})

const roles: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

function readItem(item: Json, id: string, parseParts: ReturnType<typeof createPartParser>): Message {
  if (typeof item === 'string') return { id, role: 'user', parts: parseParts([item], id, 'user') }
  if (!isObject(item)) return unparsed(item, id, format)
  if (!isMessage(item)) {
    const parts = parseParts([item], id, 'assistant')
    return { id, role: roleOfItem(textAt(item, 'type') ?? '', parts), parts }
  }
  const role = roles.get(textAt(item, 'role') ?? '')
  if (role === undefined) return unparsed(item, id, format, 'unknown-role')
  const content = item['content']
  return {
    id,
    role,
    parts: parseParts(isList(content) ? content : typeof content === 'string' ? [content] : [], id, role),
    native: { format, json: { ...item, content: typeof content === 'string' ? '' : [] } },
  }
}

const isMessage = (item: JsonObject) =>
  (item['type'] === 'message' || item['type'] === undefined) &&
  typeof item['role'] === 'string' &&
  (typeof item['content'] === 'string' || isList(item['content']))

/** Outputs of the host do not belong to the assistant. */
function roleOfItem(type: string, [part]: readonly Part[]): Role {
  if (part?.kind === 'result') return 'tool'
  return type.endsWith('_output') || type.endsWith('_response') ? 'user' : 'assistant'
}

function put({ system, segments, conversation, isAsItCame }: Layout, express: Express): Json {
  const own = nativeIn(conversation, format)
  const envelope: JsonObject = isObject(own) ? own : {}
  const [instructions] = system.map(part => express(part, 'system'))
  const isOwn = system.length === 1 && typeof instructions === 'string' && envelope['instructions'] === ''
  const prompt: readonly Segment[] =
    isOwn || system.length === 0 ? [] : [{ role: 'system', parts: system, message: null }]
  const written = withOwnIds(
    matched([...prompt, ...segments].flatMap(segment => putSegment(segment, express))),
  )
  const items = spoken(written, isAsItCame || isBegun(envelope))
  if (isList(own)) return items.map(asItem)
  const [only] = items
  const isBare = envelope['input'] === '' && items.length === 1 && typeof only === 'string'
  return {
    ...envelope,
    ...(isOwn && { instructions }),
    input: isBare ? only : items.map(asItem),
  }
}

const spoken = (items: readonly Json[], mayBeSilent: boolean): readonly Json[] =>
  items.length > 0 || mayBeSilent ? items : [{ role: 'user', content: emptyText }]

const asItem = (item: Json): Json => (typeof item === 'string' ? { role: 'user', content: item } : item)

/** Outputs with the type that matches their calls: the call of a custom tool needs the output of a custom tool. */
function matched(items: readonly Json[]): readonly Json[] {
  const kinds = new Map(
    items
      .filter(item => /^(function|custom_tool)_call$/.test(textAt(item, 'type') ?? ''))
      .map(item => [textAt(item, 'call_id'), textAt(item, 'type')]),
  )
  return items.map(item => {
    const kind = kinds.get(textAt(item, 'call_id'))
    const type = textAt(item, 'type') ?? ''
    const isOther = /^(function|custom_tool)_call_output$/.test(type) && type !== `${kind}_output`
    return isObject(item) && kind !== undefined && isOther ? { ...item, type: `${kind}_output` } : item
  })
}
