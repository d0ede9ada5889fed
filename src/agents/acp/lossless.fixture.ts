import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import type { Agent, RawMessage } from '../agent.ts'
import { stored, translateLines, type Recorded } from '../kit/lossless.fixture.ts'
import { isObject, listOf, objectOf, textIn, textOf, type JsonObject } from './messages.ts'

/** A line of a recording of both directions. */
export interface NativeLine {
  readonly from: 'agent' | 'host'
  readonly message: JsonObject
  /** Whether the line replays an earlier conversation. */
  readonly isReplay: boolean
}

/** A recording of both directions, its chunks, and the stored messages. */
export interface BothSides extends Pick<Recorded, 'chunks' | 'messages'> {
  readonly lines: readonly NativeLine[]
  readonly raws: readonly RawMessage[]
}

const shared = join(import.meta.dirname, '../../../../shared/recordings')

/** The recordings beside an agent, and all others that are present, each name once. */
export function recordingsOf(agent: string, isFit: (name: string) => boolean): ReadonlyMap<string, string> {
  const folders = [join(shared, agent), join(import.meta.dirname, '..', agent, 'recordings')]
  const files = folders
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder).map(name => [name, join(folder, name)] as const))
  return new Map(files.filter(([name]) => name.endsWith('.jsonl') && isFit(name)))
}

/** Reads and translates a recording. */
export function readBothSides(agent: Agent, file: string): BothSides {
  const raws = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .flatMap(line => agent.readRecorded?.(line) ?? [])
  const chunks = translateLines(agent, raws)
  return { raws, lines: linesOf(raws), chunks, messages: stored(chunks) }
}

function linesOf(raws: readonly RawMessage[]): readonly NativeLine[] {
  let isReplay = false
  return raws.map(({ from, text }) => {
    const message = objectOf(JSON.parse(text) as Json)
    if (from === 'host' && typeof message['method'] === 'string')
      isReplay = /^session\/(load|resume)$/.test(message['method'])
    return { from, message, isReplay }
  })
}

/** The updates of a session, without replayed ones. */
export function updatesIn({ lines }: BothSides): readonly JsonObject[] {
  return lines
    .filter(({ message, isReplay }) => message['method'] === 'session/update' && !isReplay)
    .map(({ message }) => objectOf(objectOf(message['params'])['update']))
}

/** All text of one kind of chunk, in order. */
export function textsIn(recording: BothSides, kind: string): string {
  return updatesIn(recording)
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map(({ content }) => (isObject(content) ? textIn([content]) : ''))
    .filter(text => !text.startsWith('[MODE_UPDATE] '))
    .join('')
}

/** How each call ended, by the agent's last update about it; refused calls by our answer. */
export function callsIn(recording: BothSides): ReadonlyMap<string, string> {
  const calls = new Map<string, string>()
  const asked = new Map<string, { readonly call: string; readonly options: readonly JsonObject[] }>()
  for (const { from, message, isReplay } of recording.lines) {
    const params = objectOf(message['params'])
    const id = JSON.stringify(message['id'] ?? null)
    const facts = objectOf(params['toolCall'] ?? objectOf(params['subject'])['toolCall'] ?? params['update'])
    const call = textOf(facts['toolCallId'])
    if (call !== undefined && !isReplay)
      calls.set(call, textOf(facts['status']) ?? calls.get(call) ?? 'pending')
    if (message['method'] === 'session/request_permission' && call !== undefined)
      asked.set(id, { call, options: listOf(params['options']).map(objectOf) })
    const question = from === 'host' && message['method'] === undefined ? asked.get(id) : undefined
    if (question && isRefusal(question.options, message)) calls.set(question.call, 'denied')
  }
  return calls
}

function isRefusal(options: readonly JsonObject[], message: JsonObject): boolean {
  const { optionId } = objectOf(objectOf(message['result'])['outcome'])
  const chosen = options.find(option => option['optionId'] === optionId)
  return !(textOf(chosen?.['kind']) ?? 'reject').startsWith('allow')
}

/** The last input and output in the updates of a call. */
export function lastFactsOf(
  recording: BothSides,
  call: string,
): { readonly rawInput: Json; readonly rawOutput: Json; readonly content: Json } {
  const updates = updatesIn(recording).filter(({ toolCallId }) => toolCallId === call)
  const last = (field: string) => updates.findLast(update => update[field] !== undefined)?.[field] ?? null
  return { rawInput: last('rawInput'), rawOutput: last('rawOutput'), content: last('content') }
}

/** The tokens at the end of each prompt: input and output. */
export function figuresIn({ lines }: BothSides): readonly (readonly [number, number])[] {
  return lines.flatMap(({ message }) => {
    const update = objectOf(objectOf(message['params'])['update'])
    const end = [objectOf(message['result']), update].find(facts => facts['stopReason'] !== undefined)
    const quota = objectOf(objectOf(end?.['_meta'])['quota'])
    // Requests outside the conversation, such as for titles, are only in the sums of each model.
    const [model, ...others] = listOf(quota['model_usage']).map(each =>
      objectOf(objectOf(each)['token_count']),
    )
    const ofModel = others.length === 0 && typeof model?.['totalTokens'] === 'number' ? model : undefined
    const counts = ofModel ?? objectOf(isObject(end?.['usage']) ? end['usage'] : quota['token_count'])
    const input = counts['inputTokens'] ?? counts['input_tokens']
    const output = counts['outputTokens'] ?? counts['output_tokens']
    if (typeof input !== 'number' || typeof output !== 'number') return []
    // Thoughts count as output; the sum shows where they are counted separately.
    const thoughts = typeof counts['thoughtTokens'] === 'number' ? counts['thoughtTokens'] : 0
    const isApart = counts['totalTokens'] === input + output + thoughts
    return [[input, isApart ? output + thoughts : output] as const]
  })
}
