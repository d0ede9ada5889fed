import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isList, listAt, textAt } from '../look.ts'
import { faultOf } from './faults.ts'
import { marksIn, mostMarks } from './marks.ts'

interface Joined {
  readonly role: string
  readonly blocks: readonly JsonObject[]
}

/** What Anthropic would refuse. Neighbours of one role count as one message, as the API joins them. */
export function findInvalid(json: Json): readonly string[] {
  const messages = isObject(json) ? listAt(json, 'messages') : isList(json) ? json : []
  const joined = join(messages)
  return [
    ...(messages.length === 0 ? ['There are no messages.'] : []),
    ...listAt(json, 'system').flatMap((block, at) =>
      named(faultOf(block, 'system'), `Block ${at} of the system prompt`),
    ),
    ...messages.flatMap(misshapen),
    ...tooManyMarks(json, joined),
    ...(endsBlank(joined.at(-1)) ? ['The last text of the assistant ends with white space.'] : []),
    ...(joined[0]?.role === 'assistant' ? ['The first message is not from the user.'] : []),
    ...repeatedCalls(joined),
    ...joined.flatMap(({ role, blocks }, at) => [
      ...(role === 'assistant' ? assistantFaults(blocks, joined[at + 1], at) : []),
      ...(role === 'user' ? resultFaults(blocks, joined[at - 1], at) : []),
    ]),
  ]
}

/** Assistant text at the very end is a beginning to continue. */
function endsBlank(last: Joined | undefined): boolean {
  const text = last?.role === 'assistant' ? textAt(last.blocks.at(-1), 'text') : undefined
  return text !== undefined && text !== text.trimEnd()
}

function join(messages: readonly Json[]): readonly Joined[] {
  const joined: Joined[] = []
  for (const message of messages) {
    const role = textAt(message, 'role') ?? ''
    const content = isObject(message) ? message['content'] : undefined
    const blocks: readonly Json[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(message, 'content')
    const last = joined.at(-1)
    if (last?.role === role) joined.pop()
    joined.push({ role, blocks: [...(last?.role === role ? last.blocks : []), ...blocks.filter(isObject)] })
  }
  return joined
}

function misshapen(message: Json, at: number): readonly string[] {
  if (!isObject(message)) return [`Message ${at} is not an object.`]
  const role = textAt(message, 'role')
  const content = message['content']
  const isEmpty =
    (typeof content === 'string' && content.trim() === '') || (isList(content) && content.length === 0)
  return [
    ...(role === 'user' || role === 'assistant' ? [] : [`Message ${at} has the role ${String(role)}.`]),
    ...(typeof content === 'string' || isList(content) ? [] : [`Message ${at} has no content.`]),
    ...(isEmpty ? [`Message ${at} is empty.`] : []),
    ...listAt(message, 'content').flatMap((block, index) =>
      named(faultOf(block, role === 'assistant' ? role : 'user'), `Block ${index} of message ${at}`),
    ),
  ]
}

const named = (fault: string | null, where: string): readonly string[] =>
  fault === null ? [] : [`${where} ${fault}.`]

function tooManyMarks(json: Json, joined: readonly Joined[]): readonly string[] {
  const blocks = [...listAt(json, 'tools'), ...listAt(json, 'system'), ...joined.flatMap(each => each.blocks)]
  const marks = marksIn(blocks)
  return marks > mostMarks ? [`There are ${marks} cache marks, but only ${mostMarks} are allowed.`] : []
}

const callsOf = (blocks: readonly JsonObject[]) =>
  blocks.filter(({ type }) => type === 'tool_use').map(block => textAt(block, 'id') ?? '')
const resultsOf = (blocks: readonly JsonObject[]) =>
  blocks.filter(({ type }) => type === 'tool_result').map(block => textAt(block, 'tool_use_id') ?? '')

function repeatedCalls(joined: readonly Joined[]): readonly string[] {
  const calls = joined.flatMap(({ blocks }) => callsOf(blocks))
  const repeated = calls.filter((call, at) => calls.indexOf(call) !== at)
  const illegal = calls.filter(call => !/^[A-Za-z0-9_-]{1,128}$/.test(call))
  return [
    ...repeated.map(call => `The call ${call} appears twice.`),
    ...illegal.map(call => `The call id ${JSON.stringify(call)} has characters that are not allowed.`),
  ]
}

function assistantFaults(
  blocks: readonly JsonObject[],
  next: Joined | undefined,
  at: number,
): readonly string[] {
  const answered = next?.role === 'user' ? resultsOf(next.blocks) : []
  const last = textAt(blocks.at(-1), 'type')
  const provided = blocks.map(block => textAt(block, 'id'))
  return [
    ...callsOf(blocks)
      .filter(call => !answered.includes(call))
      .map(call => `The call ${call} is not answered in the next message.`),
    ...(last === 'thinking' || last === 'redacted_thinking' ? [`Message ${at} ends with thinking.`] : []),
    ...blocks
      .filter(
        ({ type }) => typeof type === 'string' && type !== 'tool_result' && type.endsWith('_tool_result'),
      )
      .map(block => textAt(block, 'tool_use_id'))
      .filter(call => call !== undefined && !provided.includes(call))
      .map(call => `The result of ${String(call)} has no call in its message.`),
    ...(resultsOf(blocks).length > 0 ? [`Message ${at} is from the assistant, but has results.`] : []),
  ]
}

function resultFaults(
  blocks: readonly JsonObject[],
  previous: Joined | undefined,
  at: number,
): readonly string[] {
  const asked = previous?.role === 'assistant' ? callsOf(previous.blocks) : []
  const results = resultsOf(blocks)
  const isFirst = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result')
  return [
    ...results
      .filter(call => !asked.includes(call))
      .map(call => `The result of ${call} has no call before it.`),
    ...results
      .filter((call, index) => results.indexOf(call) !== index)
      .map(call => `The call ${call} is answered twice.`),
    ...(isFirst ? [] : [`Message ${at} has results after other content.`]),
    ...(callsOf(blocks).length > 0 ? [`Message ${at} is from the user, but has calls.`] : []),
  ]
}
