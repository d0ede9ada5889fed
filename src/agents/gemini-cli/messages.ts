import { isObject, listOf, numberOf, objectOf, textOf, type JsonObject } from '../acp/index.ts'
import type { Json } from '../../protocol/json.ts'

/**
 * Gemini CLI writes to three places: ACP, the lines of its headless mode, and the file of each chat. Their lines are
 * distinguished by their shape.
 */
export type Source = 'acp' | 'headless' | 'chat'

const headlessTypes = new Set(['init', 'message', 'tool_use', 'tool_result', 'error', 'result'])

/** The source of a line. An unknown shape counts as ACP, which keeps it. */
export function sourceOf(line: JsonObject): Source {
  if (line['jsonrpc'] !== undefined || line['method'] !== undefined) return 'acp'
  if (line['$set'] !== undefined || line['projectHash'] !== undefined) return 'chat'
  const { id, type } = line
  if (typeof type !== 'string') return 'acp'
  if (typeof id === 'string') return 'chat'
  return headlessTypes.has(type) ? 'headless' : 'acp'
}

/** A tool call as the chat keeps it: with its name, input and output. */
export interface ChatCall {
  readonly id: string
  readonly facts: JsonObject
  /** Whether it has ended, and with success. */
  readonly status: 'completed' | 'failed' | null
}

/** The tool calls in a message of the chat. */
export function callsIn(message: JsonObject): readonly ChatCall[] {
  return listOf(message['toolCalls'])
    .filter(isObject)
    .flatMap(call => {
      const id = textOf(call['id'])
      return id === undefined ? [] : [{ id, facts: factsOf(call), status: statusOf(call) }]
    })
}

function statusOf(call: JsonObject): ChatCall['status'] {
  const { status } = call
  if (status === 'success') return isStopped(outputOf(call)) ? 'failed' : 'completed'
  return status === 'error' || status === 'cancelled' ? 'failed' : null
}

/** A stopped command counts as a success in the chat; only its output shows the stop. */
const isStopped = (output: Json): boolean =>
  [objectOf(output)['resultDisplay'], objectOf(output)['output']].some(
    each => typeof each === 'string' && /^Command (?:was )?cancelled/.test(each),
  )

function factsOf(call: JsonObject): JsonObject {
  const { name, args } = call
  const output = outputOf(call)
  const title = titleOf(call)
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(title === undefined ? {} : { title }),
    ...(args === undefined ? {} : { rawInput: args }),
    ...(output === null ? {} : { rawOutput: output }),
  }
}

const longestTitle = 200

/** For a call that could not be parsed, the description is that of the tool, which is not a title. */
function titleOf({ description, displayName }: JsonObject): string | undefined {
  const isTitle = typeof description === 'string' && description !== '' && description.length <= longestTitle
  return isTitle ? description : textOf(displayName)
}

/** The output of a call: nearly always one response, which then is the whole output. */
function outputOf(call: JsonObject): Json {
  const { result, resultDisplay } = call
  const [first, ...more] = listOf(result)
  const response = objectOf(objectOf(first)['functionResponse'])['response']
  const shown = resultDisplay === undefined || resultDisplay === '' ? {} : { resultDisplay }
  if (more.length === 0 && isObject(response)) return { ...response, ...shown }
  if (result === undefined && Object.keys(shown).length === 0) return null
  return { ...(result === undefined ? {} : { result }), ...shown }
}

/** The calls in a message that gives the model their results; a tool that does not exist appears only here. */
export function responsesIn(message: JsonObject): readonly ChatCall[] {
  return listOf(message['content']).flatMap(part => {
    const { functionResponse } = objectOf(part)
    const { id, name, response } = objectOf(functionResponse)
    if (typeof id !== 'string') return []
    const facts = { ...(typeof name === 'string' ? { name } : {}), rawOutput: response ?? null }
    return [
      { id, facts, status: objectOf(response)['error'] === undefined ? 'completed' : 'failed' } as const,
    ]
  })
}

/** The usage of one request to the model, as the chat keeps it. */
export interface ChatTokens {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly thoughts: number
  readonly total: number
}

/** The figures in a message of the chat; null when it has none. */
export function tokensIn(message: JsonObject): ChatTokens | null {
  const { tokens } = message
  if (!isObject(tokens)) return null
  const read = (name: string) => numberOf(tokens[name]) ?? 0
  return {
    input: read('input'),
    output: read('output'),
    cached: read('cached'),
    thoughts: read('thoughts'),
    total: read('total'),
  }
}

/** The thoughts in a message of the chat, in the form of ACP. */
export function thoughtsIn(message: JsonObject): readonly string[] {
  return listOf(message['thoughts'])
    .map(objectOf)
    .map(({ subject, description }) => `**${textOf(subject) ?? ''}**\n${textOf(description) ?? ''}`)
}

/** The text of a message of the chat, which may be a list of parts. */
export function contentIn({ content }: JsonObject): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map(part => textOf(objectOf(part)['text']) ?? '')
    .join('')
}
